// Stores that earlier versions made, in tests/store/embedded/fixtures.
#pragma once

#include <fstream>
#include <string>

#include "gunzip.h"

namespace quire {

inline void put_file(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Format 2: 89 comments, some deleted or edited, and two request keys; the comment of one is
// deleted. Format 3: 2,610 comments, 2,336 of them of one product, eight at each
// time, many edited or deleted; and two request keys. Format 4: 1,755 comments, 1,483 of them of
// one product, with three facets beside language and rating, of which one was built afterwards.
inline std::string fixture(int format, const std::string& name) {
  return gunzip(QUIRE_FIXTURES "/format-" + std::to_string(format) + "/" + name);
}
inline void put_fixture(int format, const std::string& directory) {
  put_file(directory + "/data.mdb", fixture(format, "data.mdb.gz"));
}

}  // namespace quire
