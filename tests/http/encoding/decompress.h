// Undoes a coding, to see that a body comes back.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "http/message.h"

namespace quire::http {

inline std::string decompressed(Coding coding, std::string_view bytes) {
  std::string out(std::size_t{4} << 20, '\0');
  if (coding == Coding::identity) return std::string(bytes);
  if (coding == Coding::zstd) {
    auto size = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
    out.resize(size);
    return out;
  }
  z_stream stream{};
  inflateInit2(&stream, 16 + MAX_WBITS);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0;
  out.resize(stream.total_out);
  inflateEnd(&stream);
  if (!whole) throw std::runtime_error("this is not one whole gzip file");
  return out;
}

}  // namespace quire::http
