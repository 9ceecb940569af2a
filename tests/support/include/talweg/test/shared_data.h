// Data and programs that tests use.
#ifndef TALWEG_TEST_SHARED_DATA_H_
#define TALWEG_TEST_SHARED_DATA_H_

#include <optional>
#include <string>
#include <string_view>

namespace talweg::test {

// Path of a file of the data folder that lies beside the project, e.g.
// "data/terra/elev.tif"; nothing where that folder or file is absent. Tests
// then skip: if (!path) GTEST_SKIP() << MissingSharedData("...").
std::optional<std::string> SharedDataPath(std::string_view relative);
std::string MissingSharedData(std::string_view relative);

// Path of a built program: "talweg", "talwegd", "talweg-worker".
std::string ProgramPath(std::string_view name);

// A fresh temporary folder, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string File(std::string_view name) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace talweg::test

#endif  // TALWEG_TEST_SHARED_DATA_H_
