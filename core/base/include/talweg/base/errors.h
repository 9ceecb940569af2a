// The error catalogue: every failure the service can report is one function
// here, so that code, reason and wording live in one file. Each returns an
// absl::Status whose payloads carry what google.rpc.ErrorInfo and BadRequest
// need: the reason, the field path, the offending value and the valid range.
//
// No message names a path, pid, descriptor or address of the host.
#ifndef TALWEG_BASE_ERRORS_H_
#define TALWEG_BASE_ERRORS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace talweg {

// What a status carries beside its code and message. Empty strings are absent.
struct ErrorDetail {
  std::string reason;       // UPPER_SNAKE_CASE, stable; the key for programs
  std::string field;        // path in the request, e.g. "recipe.limits.max_cost"
  std::string value;        // the offending value as text
  std::string valid_range;  // what would have been accepted
  std::optional<absl::Duration> retry_delay;
};

// Builds a status with detail payloads; used by the catalogue, and where a
// status is rebuilt after transport.
absl::Status MakeError(absl::StatusCode code, std::string_view message, const ErrorDetail& detail);

// The detail payloads of `status`; all empty when it carries none.
ErrorDetail GetErrorDetail(const absl::Status& status);

// `status` with "context: " put before its message; payloads are kept.
absl::Status PrependContext(const absl::Status& status, std::string_view context);

// `status` with "prefix." put before its field path (or the prefix alone when
// it has none); the message's mention of the field is rewritten alike.
absl::Status PrependField(const absl::Status& status, std::string_view prefix);

// Numbers in messages: shortest form that reads back to the same double.
std::string FormatNumber(double value);

// ---- Wrong requests ---------------------------------------------------------

// INVALID_ARGUMENT, INVALID_VALUE.
absl::Status InvalidValue(std::string_view field, std::string_view value,
                          std::string_view valid_range);
absl::Status InvalidValue(std::string_view field, double value, std::string_view valid_range);

// INVALID_ARGUMENT, MISSING_FIELD.
absl::Status MissingField(std::string_view field, std::string_view valid_range);

// INVALID_ARGUMENT, EMPTY_LIST: a list given on purpose that holds nothing.
absl::Status EmptyList(std::string_view field);

// INVALID_ARGUMENT, SURFACE_TOO_LARGE: rows x cols beyond kMaxPaddedCells or 64 bits.
absl::Status ShapeOutOfRange(std::string_view rows, std::string_view cols,
                             std::string_view valid_range);

// INVALID_ARGUMENT, SINGULAR_GEOTRANSFORM.
absl::Status SingularGeotransform(std::string_view value);

// INVALID_ARGUMENT, GEOGRAPHIC_UNITS: lengths in degrees were asked for.
absl::Status GeographicUnits(std::string_view crs_name);

// INVALID_ARGUMENT, NEGATIVE_FRICTION: policy `error` met a negative cell.
absl::Status NegativeFriction(int64_t count, int64_t first_row, int64_t first_col);

// ---- Resources --------------------------------------------------------------

// NOT_FOUND.
absl::Status SurfaceNotFound(std::string_view name);
absl::Status RevisionNotFound(std::string_view name, std::string_view revision,
                              std::string_view current_revision);
absl::Status UploadNotFound(std::string_view upload_id);
// ALREADY_EXISTS, SURFACE_EXISTS.
absl::Status SurfaceExists(std::string_view name);
// ALREADY_EXISTS, REQUEST_ID_REUSED: same request_id, another payload.
absl::Status RequestIdReused(std::string_view request_id);

// ---- Uploads ----------------------------------------------------------------

// FAILED_PRECONDITION, WRONG_OFFSET: continue at `committed`.
absl::Status WrongOffset(uint64_t offset, uint64_t committed);
// OUT_OF_RANGE, UPLOAD_TOO_LONG.
absl::Status UploadTooLong(uint64_t end, uint64_t size_bytes);
// FAILED_PRECONDITION, UPLOAD_INCOMPLETE.
absl::Status UploadIncomplete(uint64_t committed, uint64_t size_bytes);
// DATA_LOSS, CHECKSUM_MISMATCH. `what` is "chunk at offset N" or "whole upload".
absl::Status ChecksumMismatch(std::string_view what, std::string_view expected,
                              std::string_view computed);
// DATA_LOSS, SEGMENT_INVALID: a received segment failed verification.
absl::Status SegmentInvalid(std::string_view why);

// ---- Limits and machinery ----------------------------------------------------

// RESOURCE_EXHAUSTED, LIMIT_EXCEEDED: names limit, value and maximum.
absl::Status LimitExceeded(std::string_view limit, std::string_view value,
                           std::string_view maximum);
// RESOURCE_EXHAUSTED, CELL_LIMIT: max_cells was reached before the answer.
absl::Status CellLimitReached(uint64_t settled_cells, uint64_t max_cells);
// RESOURCE_EXHAUSTED, QUEUE_FULL, with a retry delay.
absl::Status QueueFull(uint64_t queued, uint64_t maximum, absl::Duration retry_delay);
// RESOURCE_EXHAUSTED, TOO_MANY_REQUESTS, with a retry delay.
absl::Status TooManyRequests(uint64_t running, uint64_t maximum, absl::Duration retry_delay);
// RESOURCE_EXHAUSTED, OUT_OF_MEMORY: `what` could not get `bytes`.
absl::Status OutOfMemory(std::string_view what, uint64_t bytes);
// The same, where the size is not known.
absl::Status OutOfMemory(std::string_view what);
// DEADLINE_EXCEEDED / CANCELLED, with the cells settled so far.
absl::Status DeadlineExceeded(uint64_t settled_cells);
absl::Status RequestCancelled(uint64_t settled_cells);
// INTERNAL, WORKER_CRASHED: the task ended its worker; `attempts` were made.
absl::Status WorkerCrashed(std::string_view how, int attempts);
// UNAVAILABLE, NO_WORKERS / SHUTTING_DOWN, with a retry delay.
absl::Status NoWorkers(std::string_view why, absl::Duration retry_delay);
absl::Status ShuttingDown();
// INTERNAL, PROTOCOL_ERROR: a message between our own processes made no sense.
absl::Status ProtocolError(std::string_view what);
// INTERNAL, TASK_UNDECODABLE: a worker could not read the task it was sent.
absl::Status TaskUndecodable(std::string_view why);
// INTERNAL, ENGINE_FAILED: a search ended with an exception.
absl::Status EngineFailed(std::string_view what);
// INTERNAL or RESOURCE_EXHAUSTED, SYSTEM_CALL: `call` failed with `error_number`.
absl::Status SystemCallFailed(std::string_view call, int error_number);

}  // namespace talweg

#endif  // TALWEG_BASE_ERRORS_H_
