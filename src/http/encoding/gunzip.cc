#include "http/encoding/gunzip.h"

#include <zlib.h>

#include <new>

namespace quire::http {
namespace {

constexpr int gzip_window = 15 + 16;  // the largest, of the gzip format alone
constexpr std::size_t part = 64 * 1024;

}  // namespace

Gunzip::Gunzip() : stream_(std::make_unique<z_stream>()), room_(part, '\0') {
  if (inflateInit2(stream_.get(), gzip_window) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() {
  inflateEnd(stream_.get());
}

bool Gunzip::add(std::string_view bytes, const Take& take) {
  stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_->avail_in = static_cast<uInt>(bytes.size());
  // A part that was filled may have left more behind.
  for (bool filled = false; stream_->avail_in > 0 || filled;) {
    if (between_ && *stream_->next_in == 0) {  // zeros fill up a block of a tape
      ++stream_->next_in;
      --stream_->avail_in;
      continue;
    }
    if (between_) inflateReset(stream_.get());
    between_ = false;
    stream_->next_out = reinterpret_cast<Bytef*>(room_.data());
    stream_->avail_out = static_cast<uInt>(room_.size());
    int code = inflate(stream_.get(), Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return false;
    between_ = code == Z_STREAM_END;
    filled = stream_->avail_out == 0 && !between_;
    if (!take({room_.data(), room_.size() - stream_->avail_out})) return true;
  }
  return true;
}

}  // namespace quire::http
