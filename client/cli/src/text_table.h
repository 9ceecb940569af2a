// A table for people.
#ifndef TALWEG_CLI_TEXT_TABLE_H_
#define TALWEG_CLI_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace talweg::cli {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head);
  void AlignRight(size_t column) { right_[column] = true; }
  void AddRow(std::vector<std::string> cells);  // as many as the head
  // Columns two spaces apart; lines end with their text.
  std::string Text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> right_;
};

}  // namespace talweg::cli

#endif  // TALWEG_CLI_TEXT_TABLE_H_
