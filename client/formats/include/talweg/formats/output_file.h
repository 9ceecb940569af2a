// Files that appear whole or not at all.
#ifndef TALWEG_FORMATS_OUTPUT_FILE_H_
#define TALWEG_FORMATS_OUTPUT_FILE_H_

#include <deque>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace talweg::formats {

// Whether a file of this name can be created or replaced, found out by creating
// a temporary one beside it. FILE_UNWRITABLE.
absl::Status CheckWritable(const std::string& path);

// A file under construction, in the folder of its final place and under a
// hidden name with the same extension. Belongs to an OutputSet.
class StagedFile {
 public:
  explicit StagedFile(const std::string& path);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  const std::string& path() const { return path_; }
  // Where libraries that write by name put the file.
  const std::string& temporary_path() const { return temporary_path_; }

  // Appends bytes, buffered. WRITE_FAILED.
  absl::Status Append(std::string_view bytes);

 private:
  friend class OutputSet;
  absl::Status Open();
  absl::Status Flush();
  absl::Status Sync();  // everything is on the disk afterwards, still under the hidden name
  absl::Status Rename();

  std::string path_;         // as the user gave it
  std::string target_path_;  // where that leads, through symbolic links
  std::string temporary_path_;
  std::string buffer_;
  int fd_ = -1;
  bool renamed_ = false;
};

// The files of one run. Until Commit nothing is visible; without it nothing
// stays.
class OutputSet {
 public:
  // Valid as long as the set.
  StagedFile& Stage(const std::string& path) { return files_.emplace_back(path); }

  // Writes all to the disk, then gives all their names, then makes the names
  // durable. WRITE_FAILED.
  absl::Status Commit();

 private:
  std::deque<StagedFile> files_;
};

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_OUTPUT_FILE_H_
