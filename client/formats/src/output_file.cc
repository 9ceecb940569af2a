#include "talweg/formats/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "file_descriptor.h"
#include "talweg/base/status_macros.h"
#include "talweg/formats/file_errors.h"

namespace talweg::formats {
namespace {

constexpr size_t kBufferBytes = 1 << 20;

// What GDAL and SQLite may leave beside a file that was not finished.
constexpr const char* kByproducts[] = {"-journal", "-wal", "-shm", ".aux.xml"};

// A link is written through, not replaced.
std::string Resolve(const std::string& path) {
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, error);
  return error ? path : resolved.string();
}

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string TemporaryPathFor(const std::string& target) {
  static std::atomic<int> counter = 0;
  const std::filesystem::path path(target);
  // Same extension, as drivers look at it; hidden, as it is nobody's business.
  const std::string name = "." + path.stem().string() + ".talweg-" + std::to_string(::getpid()) +
                           "-" + std::to_string(counter++) + path.extension().string();
  return (path.parent_path() / name).string();
}

FileDescriptor CreateNew(const std::string& path) {
  return FileDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
}

}  // namespace

absl::Status CheckWritable(const std::string& path) {
  const std::string target = Resolve(path);
  std::error_code error;
  if (std::filesystem::is_directory(target, error)) return FileUnwritable(path, "it is a folder");
  if (!std::filesystem::is_directory(FolderOf(target), error)) {
    return FileUnwritable(path, "its folder does not exist");
  }
  const std::string probe = TemporaryPathFor(target);
  const FileDescriptor file = CreateNew(probe);
  if (!file.is_open()) return FileUnwritable(path, std::strerror(errno));
  ::unlink(probe.c_str());
  return absl::OkStatus();
}

StagedFile::StagedFile(const std::string& path)
    : path_(path), target_path_(Resolve(path)), temporary_path_(TemporaryPathFor(target_path_)) {}

StagedFile::~StagedFile() {
  if (fd_ >= 0) ::close(fd_);
  if (renamed_) return;
  ::unlink(temporary_path_.c_str());
  for (const char* suffix : kByproducts) ::unlink((temporary_path_ + suffix).c_str());
}

absl::Status StagedFile::Open() {
  FileDescriptor file = CreateNew(temporary_path_);
  if (!file.is_open()) return WriteFailed(path_, std::strerror(errno));
  fd_ = file.Release();
  return absl::OkStatus();
}

absl::Status StagedFile::Append(std::string_view bytes) {
  if (fd_ < 0) TALWEG_RETURN_IF_ERROR(Open());
  buffer_ += bytes;
  return buffer_.size() < kBufferBytes ? absl::OkStatus() : Flush();
}

absl::Status StagedFile::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = ::write(fd_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return WriteFailed(path_, std::strerror(errno));
    rest.remove_prefix(static_cast<size_t>(count));
  }
  buffer_.clear();
  return absl::OkStatus();
}

absl::Status StagedFile::Sync() {
  if (fd_ >= 0) {
    TALWEG_RETURN_IF_ERROR(Flush());
  } else {
    // A library wrote it; opening it again is enough for fsync.
    fd_ = ::open(temporary_path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) return WriteFailed(path_, std::strerror(errno));
  }
  if (::fsync(fd_) != 0) return WriteFailed(path_, std::strerror(errno));
  if (::close(std::exchange(fd_, -1)) != 0) return WriteFailed(path_, std::strerror(errno));
  return absl::OkStatus();
}

absl::Status StagedFile::Rename() {
  if (::rename(temporary_path_.c_str(), target_path_.c_str()) != 0) {
    return WriteFailed(path_, std::strerror(errno));
  }
  renamed_ = true;
  return absl::OkStatus();
}

absl::Status OutputSet::Commit() {
  for (StagedFile& file : files_) TALWEG_RETURN_IF_ERROR(file.Sync());
  std::set<std::string> folders;
  for (StagedFile& file : files_) {
    TALWEG_RETURN_IF_ERROR(file.Rename());
    folders.insert(FolderOf(file.target_path_));
  }
  for (const std::string& folder : folders) {
    const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some file systems refuse to sync a folder; the files are there all the same.
    if (fd.is_open()) ::fsync(fd.get());
  }
  files_.clear();
  return absl::OkStatus();
}

}  // namespace talweg::formats
