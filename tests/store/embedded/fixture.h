// Stores that earlier versions made, in tests/store/embedded/fixtures.
#pragma once

#include <zlib.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace quire {

inline std::string gunzip(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string out;
  char buffer[1 << 16];
  for (int got; (got = gzread(file, buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<std::size_t>(got));
  gzclose(file);
  return out;
}

inline void put_file(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Format 2: 89 comments, some deleted or edited, and two request keys; the comment of one is
// deleted. Format 3: 2,610 comments, 2,336 of them of one product, eight at each
// time, many edited or deleted; and two request keys.
inline std::string fixture(int format, const std::string& name) {
  return gunzip(QUIRE_FIXTURES "/format-" + std::to_string(format) + "/" + name);
}
inline void put_fixture(int format, const std::string& directory) {
  put_file(directory + "/data.mdb", fixture(format, "data.mdb.gz"));
}

}  // namespace quire
