// Reads a gzipped fixture.
#pragma once

#include <zlib.h>

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

}  // namespace quire
