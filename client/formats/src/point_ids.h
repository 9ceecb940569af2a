// Ids of points: unique, short, and UTF-8.
#ifndef TALWEG_FORMATS_SRC_POINT_IDS_H_
#define TALWEG_FORMATS_SRC_POINT_IDS_H_

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace talweg::formats {

// Longest id the service accepts.
inline constexpr size_t kMaxIdBytes = 256;

// What is wrong with an id; nothing when it is fine.
std::optional<std::string> IdProblem(std::string_view id);

// Remembers ids and where they were met, e.g. "line 4".
class IdRegister {
 public:
  // Where the same id was met before; else notes this place.
  std::optional<std::string> Add(const std::string& id, const std::string& place);

 private:
  std::unordered_map<std::string, std::string> places_;
};

}  // namespace talweg::formats

#endif  // TALWEG_FORMATS_SRC_POINT_IDS_H_
