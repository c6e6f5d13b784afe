// Reads gzip data (RFC 1952) that comes in parts.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace quire::http {

// Takes 64 KiB of memory besides zlib's own, however large the data are. Not thread-safe.
class Gunzip {
 public:
  // Gets a part of the data. False: it wants no more.
  using Take = std::function<bool(std::string_view)>;

  Gunzip();
  ~Gunzip();

  // Reads the next bytes. False: they are no gzip data; what was before them was taken. As for
  // gzip(1), data may have several members, and zeros behind them. Throws std::bad_alloc.
  bool add(std::string_view bytes, const Take& take);
  // Whether the data may end here: behind a member.
  bool complete() const { return between_; }

 private:
  const std::unique_ptr<z_stream_s> stream_;
  std::string room_;
  bool between_ = false;
};

}  // namespace quire::http
