// Builds .npy files by hand, as NumPy would write them.
#ifndef TALWEG_TESTS_CLIENT_NPY_FILE_H_
#define TALWEG_TESTS_CLIENT_NPY_FILE_H_

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace talweg::test {

inline void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Version 1.0 with an arbitrary dictionary.
inline std::string NpyBytes(const std::string& dictionary, const std::string& data) {
  std::string header = dictionary;
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + data;
}

inline std::string NpyDictionary(const std::string& descr, bool fortran, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

template <class T>
std::string RawBytes(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (const T value : values) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (big_endian) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  return bytes;
}

// The values of a little-endian C-order array written by the code under test.
template <class T>
std::vector<T> NpyValues(const std::string& path) {
  const std::string bytes = ReadFile(path);
  const auto low = static_cast<unsigned char>(bytes.at(8));
  const auto high = static_cast<unsigned char>(bytes.at(9));
  const size_t offset = 10u + low + 256u * high;
  std::vector<T> values((bytes.size() - offset) / sizeof(T));
  std::memcpy(values.data(), bytes.data() + offset, values.size() * sizeof(T));
  return values;
}

}  // namespace talweg::test

#endif  // TALWEG_TESTS_CLIENT_NPY_FILE_H_
