#include "talweg/test/shared_data.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace talweg::test {

std::optional<std::string> SharedDataPath(std::string_view relative) {
  const std::filesystem::path path = std::filesystem::path(TALWEG_SHARED_DATA_DIR) / relative;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return std::filesystem::weakly_canonical(path).string();
}

std::string MissingSharedData(std::string_view relative) {
  return "needs " + std::string(relative) +
         " of the data folder beside the project, which is absent";
}

std::string ProgramPath(std::string_view name) {
  return std::string(TALWEG_PROGRAM_DIR) + "/" + std::string(name);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "talweg-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::File(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

}  // namespace talweg::test
