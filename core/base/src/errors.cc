#include "talweg/base/errors.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace talweg {
namespace {

// Debian's abseil is built with its own string_view: convert at this border.
absl::string_view ToAbsl(std::string_view text) { return {text.data(), text.size()}; }

constexpr std::string_view kReason = "talweg/reason";
constexpr std::string_view kField = "talweg/field";
constexpr std::string_view kValue = "talweg/value";
constexpr std::string_view kValidRange = "talweg/valid_range";
constexpr std::string_view kRetryDelayMs = "talweg/retry_delay_ms";

// Messages quote outside text; keep them short and printable.
constexpr size_t kMaxQuotedBytes = 120;

std::string Quote(std::string_view text) {
  std::string quoted;
  for (const char c : text.substr(0, kMaxQuotedBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    quoted.push_back(byte < 0x20 || byte >= 0x7f ? '?' : c);
  }
  if (text.size() > kMaxQuotedBytes) quoted += "...";
  return quoted;
}

void SetText(absl::Status& status, std::string_view key, std::string_view text) {
  if (!text.empty()) status.SetPayload(ToAbsl(key), absl::Cord(ToAbsl(text)));
}

std::string GetText(const absl::Status& status, std::string_view key) {
  const auto payload = status.GetPayload(ToAbsl(key));
  return payload ? std::string(*payload) : std::string();
}

}  // namespace

absl::Status MakeError(absl::StatusCode code, std::string_view message, const ErrorDetail& detail) {
  absl::Status status(code, ToAbsl(message));
  if (status.ok()) return status;
  SetText(status, kReason, detail.reason);
  SetText(status, kField, detail.field);
  SetText(status, kValue, Quote(detail.value));
  SetText(status, kValidRange, detail.valid_range);
  if (detail.retry_delay) {
    SetText(status, kRetryDelayMs, absl::StrCat(absl::ToInt64Milliseconds(*detail.retry_delay)));
  }
  return status;
}

ErrorDetail GetErrorDetail(const absl::Status& status) {
  ErrorDetail detail{.reason = GetText(status, kReason),
                     .field = GetText(status, kField),
                     .value = GetText(status, kValue),
                     .valid_range = GetText(status, kValidRange),
                     .retry_delay = std::nullopt};
  int64_t retry_ms = 0;
  if (absl::SimpleAtoi(GetText(status, kRetryDelayMs), &retry_ms)) {
    detail.retry_delay = absl::Milliseconds(retry_ms);
  }
  return detail;
}

absl::Status PrependContext(const absl::Status& status, std::string_view context) {
  if (status.ok()) return status;
  return MakeError(status.code(), absl::StrCat(ToAbsl(context), ": ", status.message()),
                   GetErrorDetail(status));
}

absl::Status PrependField(const absl::Status& status, std::string_view prefix) {
  if (status.ok()) return status;
  ErrorDetail detail = GetErrorDetail(status);
  const std::string old_field = detail.field;
  detail.field =
      old_field.empty() ? std::string(prefix) : absl::StrCat(ToAbsl(prefix), ".", old_field);
  std::string message(status.message());
  if (!old_field.empty() && message.starts_with(old_field)) {
    message.replace(0, old_field.size(), detail.field);
  }
  return MakeError(status.code(), message, detail);
}

std::string FormatNumber(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

absl::Status InvalidValue(std::string_view field, std::string_view value,
                          std::string_view valid_range) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat(ToAbsl(field), ": \"", Quote(value), "\" is not valid; expected ",
                                ToAbsl(valid_range)),
                   {.reason = "INVALID_VALUE",
                    .field = std::string(field),
                    .value = std::string(value),
                    .valid_range = std::string(valid_range),
                    .retry_delay = std::nullopt});
}

absl::Status InvalidValue(std::string_view field, double value, std::string_view valid_range) {
  return InvalidValue(field, FormatNumber(value), valid_range);
}

absl::Status MissingField(std::string_view field, std::string_view valid_range) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat(ToAbsl(field), ": is missing; expected ", ToAbsl(valid_range)),
                   {.reason = "MISSING_FIELD",
                    .field = std::string(field),
                    .value = "",
                    .valid_range = std::string(valid_range),
                    .retry_delay = std::nullopt});
}

absl::Status EmptyList(std::string_view field) {
  return MakeError(
      absl::StatusCode::kInvalidArgument,
      absl::StrCat(ToAbsl(field), ": the list is empty; give at least one element or leave it out"),
      {.reason = "EMPTY_LIST",
       .field = std::string(field),
       .value = "[]",
       .valid_range = "at least one element",
       .retry_delay = std::nullopt});
}

absl::Status ShapeOutOfRange(std::string_view rows, std::string_view cols,
                             std::string_view valid_range) {
  const std::string value = absl::StrCat(ToAbsl(rows), " x ", ToAbsl(cols));
  return MakeError(
      absl::StatusCode::kInvalidArgument,
      absl::StrCat("rows x cols: ", value, " is not valid; expected ", ToAbsl(valid_range)),
      {.reason = "SHAPE_OUT_OF_RANGE",
       .field = "rows x cols",
       .value = value,
       .valid_range = std::string(valid_range),
       .retry_delay = std::nullopt});
}

absl::Status SingularGeotransform(std::string_view value) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("geotransform: ", ToAbsl(value),
                                " has no inverse; expected six finite numbers with "
                                "gt1 * gt5 - gt2 * gt4 != 0"),
                   {.reason = "SINGULAR_GEOTRANSFORM",
                    .field = "geotransform",
                    .value = std::string(value),
                    .valid_range = "six finite numbers with gt1 * gt5 - gt2 * gt4 != 0",
                    .retry_delay = std::nullopt});
}

absl::Status GeographicUnits(std::string_view crs_name) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("units: the surface's CRS (", Quote(crs_name),
                                ") is in degrees, and a degree is no length; choose \"cells\", "
                                "give a sampling, or reproject the raster"),
                   {.reason = "GEOGRAPHIC_UNITS",
                    .field = "units",
                    .value = "map",
                    .valid_range = "cells, or a sampling, for a surface in a geographic CRS",
                    .retry_delay = std::nullopt});
}

absl::Status NegativeFriction(int64_t count, int64_t first_row, int64_t first_col) {
  return MakeError(
      absl::StatusCode::kInvalidArgument,
      absl::StrCat("negative: ", count, " cells are negative, the first at row ", first_row,
                   ", column ", first_col, "; expected none under the policy \"error\""),
      {.reason = "NEGATIVE_FRICTION",
       .field = "negative",
       .value = absl::StrCat(count),
       .valid_range = "0 negative cells, or the policy \"barrier\"",
       .retry_delay = std::nullopt});
}

absl::Status SurfaceNotFound(std::string_view name) {
  return MakeError(absl::StatusCode::kNotFound,
                   absl::StrCat("surface: \"", Quote(name), "\" does not exist"),
                   {.reason = "SURFACE_NOT_FOUND",
                    .field = "surface",
                    .value = std::string(name),
                    .valid_range = "the name of a stored surface",
                    .retry_delay = std::nullopt});
}

absl::Status RevisionNotFound(std::string_view name, std::string_view revision,
                              std::string_view current_revision) {
  return MakeError(absl::StatusCode::kNotFound,
                   absl::StrCat("surface: ", Quote(name), " has no revision \"", Quote(revision),
                                "\"; the current one is ", ToAbsl(current_revision)),
                   {.reason = "REVISION_NOT_FOUND",
                    .field = "surface",
                    .value = std::string(revision),
                    .valid_range = std::string(current_revision),
                    .retry_delay = std::nullopt});
}

absl::Status UploadNotFound(std::string_view upload_id) {
  return MakeError(absl::StatusCode::kNotFound,
                   absl::StrCat("upload_id: \"", Quote(upload_id),
                                "\" is not an open upload; it never was, or it is finished"),
                   {.reason = "UPLOAD_NOT_FOUND",
                    .field = "upload_id",
                    .value = std::string(upload_id),
                    .valid_range = "an id returned by StartUpload",
                    .retry_delay = std::nullopt});
}

absl::Status SurfaceExists(std::string_view name) {
  return MakeError(absl::StatusCode::kAlreadyExists,
                   absl::StrCat("surface: ", Quote(name), " exists already"),
                   {.reason = "SURFACE_EXISTS",
                    .field = "surface",
                    .value = std::string(name),
                    .valid_range = "an unused id when create_only is set",
                    .retry_delay = std::nullopt});
}

absl::Status RequestIdReused(std::string_view request_id) {
  return MakeError(
      absl::StatusCode::kAlreadyExists,
      absl::StrCat("request_id: \"", Quote(request_id), "\" was used before with another request"),
      {.reason = "REQUEST_ID_REUSED",
       .field = "request_id",
       .value = std::string(request_id),
       .valid_range = "a fresh id, or the same request",
       .retry_delay = std::nullopt});
}

absl::Status WrongOffset(uint64_t offset, uint64_t committed) {
  return MakeError(
      absl::StatusCode::kFailedPrecondition,
      absl::StrCat("offset: ", offset, " is not where the upload continues; expected ", committed),
      {.reason = "WRONG_OFFSET",
       .field = "offset",
       .value = absl::StrCat(offset),
       .valid_range = absl::StrCat(committed),
       .retry_delay = std::nullopt});
}

absl::Status UploadTooLong(uint64_t end, uint64_t size_bytes) {
  return MakeError(
      absl::StatusCode::kOutOfRange,
      absl::StrCat("data: ends at byte ", end, " of an upload of ", size_bytes, " bytes"),
      {.reason = "UPLOAD_TOO_LONG",
       .field = "data",
       .value = absl::StrCat(end),
       .valid_range = absl::StrCat("at most ", size_bytes, " bytes in all"),
       .retry_delay = std::nullopt});
}

absl::Status UploadIncomplete(uint64_t committed, uint64_t size_bytes) {
  return MakeError(absl::StatusCode::kFailedPrecondition,
                   absl::StrCat("upload: ", committed, " of ", size_bytes,
                                " bytes have arrived; continue at offset ", committed),
                   {.reason = "UPLOAD_INCOMPLETE",
                    .field = "upload_id",
                    .value = absl::StrCat(committed),
                    .valid_range = absl::StrCat(size_bytes),
                    .retry_delay = std::nullopt});
}

absl::Status ChecksumMismatch(std::string_view what, std::string_view expected,
                              std::string_view computed) {
  return MakeError(absl::StatusCode::kDataLoss,
                   absl::StrCat("checksum of ", ToAbsl(what), ": the bytes that arrived have ",
                                ToAbsl(computed), ", the sender says ", Quote(expected)),
                   {.reason = "CHECKSUM_MISMATCH",
                    .field = "checksum",
                    .value = std::string(expected),
                    .valid_range = std::string(computed),
                    .retry_delay = std::nullopt});
}

absl::Status SegmentInvalid(std::string_view why) {
  return MakeError(absl::StatusCode::kDataLoss,
                   absl::StrCat("shared-memory segment: ", ToAbsl(why)),
                   {.reason = "SEGMENT_INVALID",
                    .field = "",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

absl::Status LimitExceeded(std::string_view limit, std::string_view value,
                           std::string_view maximum) {
  return MakeError(
      absl::StatusCode::kResourceExhausted,
      absl::StrCat(ToAbsl(limit), ": ", ToAbsl(value), " is over the limit of ", ToAbsl(maximum)),
      {.reason = "LIMIT_EXCEEDED",
       .field = std::string(limit),
       .value = std::string(value),
       .valid_range = absl::StrCat("at most ", ToAbsl(maximum)),
       .retry_delay = std::nullopt});
}

absl::Status CellLimitReached(uint64_t settled_cells, uint64_t max_cells) {
  return MakeError(absl::StatusCode::kResourceExhausted,
                   absl::StrCat("max_cells: the search settled ", settled_cells,
                                " cells without an answer; the limit is ", max_cells),
                   {.reason = "CELL_LIMIT",
                    .field = "recipe.limits.max_cells",
                    .value = absl::StrCat(settled_cells),
                    .valid_range = absl::StrCat("at most ", max_cells),
                    .retry_delay = std::nullopt});
}

absl::Status QueueFull(uint64_t queued, uint64_t maximum, absl::Duration retry_delay) {
  return MakeError(absl::StatusCode::kResourceExhausted,
                   absl::StrCat("queue_length: ", queued, " requests are waiting, the limit is ",
                                maximum, "; try again later"),
                   {.reason = "QUEUE_FULL",
                    .field = "queue_length",
                    .value = absl::StrCat(queued),
                    .valid_range = absl::StrCat("at most ", maximum),
                    .retry_delay = retry_delay});
}

absl::Status TooManyRequests(uint64_t running, uint64_t maximum, absl::Duration retry_delay) {
  return MakeError(absl::StatusCode::kResourceExhausted,
                   absl::StrCat("max_requests: ", running, " requests are under way, the limit is ",
                                maximum, "; try again later"),
                   {.reason = "TOO_MANY_REQUESTS",
                    .field = "max_requests",
                    .value = absl::StrCat(running),
                    .valid_range = absl::StrCat("at most ", maximum),
                    .retry_delay = retry_delay});
}

absl::Status OutOfMemory(std::string_view what, uint64_t bytes) {
  return MakeError(
      absl::StatusCode::kResourceExhausted,
      absl::StrCat("memory: ", ToAbsl(what), " of ", bytes, " bytes could not be allocated"),
      {.reason = "OUT_OF_MEMORY",
       .field = "memory",
       .value = absl::StrCat(bytes),
       .valid_range = "",
       .retry_delay = std::nullopt});
}

absl::Status OutOfMemory(std::string_view what) {
  return MakeError(absl::StatusCode::kResourceExhausted,
                   absl::StrCat("memory: ", ToAbsl(what), " could not be allocated"),
                   {.reason = "OUT_OF_MEMORY",
                    .field = "memory",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

absl::Status DeadlineExceeded(uint64_t settled_cells) {
  return MakeError(absl::StatusCode::kDeadlineExceeded,
                   absl::StrCat("the deadline passed after ", settled_cells, " settled cells"),
                   {.reason = "DEADLINE_EXCEEDED",
                    .field = "",
                    .value = absl::StrCat(settled_cells),
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

absl::Status RequestCancelled(uint64_t settled_cells) {
  return MakeError(
      absl::StatusCode::kCancelled,
      absl::StrCat("the request was cancelled after ", settled_cells, " settled cells"),
      {.reason = "CANCELLED",
       .field = "",
       .value = absl::StrCat(settled_cells),
       .valid_range = "",
       .retry_delay = std::nullopt});
}

absl::Status WorkerCrashed(std::string_view how, int attempts) {
  return MakeError(absl::StatusCode::kInternal,
                   absl::StrCat("worker: ended (", ToAbsl(how), ") while it ran this task, in ",
                                attempts, attempts == 1 ? " attempt" : " attempts"),
                   {.reason = "WORKER_CRASHED",
                    .field = "",
                    .value = std::string(how),
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

absl::Status NoWorkers(std::string_view why, absl::Duration retry_delay) {
  return MakeError(absl::StatusCode::kUnavailable,
                   absl::StrCat("workers: none is usable (", ToAbsl(why), ")"),
                   {.reason = "NO_WORKERS",
                    .field = "",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = retry_delay});
}

absl::Status ShuttingDown() {
  return MakeError(absl::StatusCode::kUnavailable, "the server is shutting down",
                   {.reason = "SHUTTING_DOWN",
                    .field = "",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = absl::Seconds(1)});
}

absl::Status ProtocolError(std::string_view what) {
  return MakeError(absl::StatusCode::kInternal, absl::StrCat("worker protocol: ", ToAbsl(what)),
                   {.reason = "PROTOCOL_ERROR",
                    .field = "",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

absl::Status TaskUndecodable(std::string_view why) {
  return MakeError(absl::StatusCode::kInternal,
                   absl::StrCat("the task could not be decoded by its worker: ", ToAbsl(why)),
                   {.reason = "TASK_UNDECODABLE",
                    .field = "",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

absl::Status EngineFailed(std::string_view what) {
  return MakeError(absl::StatusCode::kInternal, absl::StrCat("the search failed: ", ToAbsl(what)),
                   {.reason = "ENGINE_FAILED",
                    .field = "",
                    .value = "",
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

absl::Status SystemCallFailed(std::string_view call, int error_number) {
  const bool exhausted = error_number == ENOMEM || error_number == ENOSPC ||
                         error_number == EMFILE || error_number == ENFILE;
  return MakeError(exhausted ? absl::StatusCode::kResourceExhausted : absl::StatusCode::kInternal,
                   absl::StrCat(ToAbsl(call), ": ", std::strerror(error_number)),
                   {.reason = "SYSTEM_CALL",
                    .field = "",
                    .value = std::string(call),
                    .valid_range = "",
                    .retry_delay = std::nullopt});
}

}  // namespace talweg
