// Parses replies of Redis (RESP, version 2) as their bytes arrive, and writes requests.
#pragma once

#include <hiredis/read.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quire::redis {

struct Reply {
  enum class Kind { nothing, number, bytes, list, refusal };
  Kind kind = Kind::nothing;
  std::int64_t number = 0;
  std::string bytes = {};  // of a refusal: the words of Redis
  std::vector<Reply> list = {};

  bool is(Kind other) const { return kind == other; }
};

// The replies of one connection. Not thread-safe.
class Replies {
 public:
  static constexpr std::size_t max_bytes = 16 << 20;  // of one reply: a million ids
  static constexpr std::size_t max_parts = 1 << 18;

  Replies();
  Replies(const Replies&) = delete;  // hiredis keeps a pointer to it
  Replies& operator=(const Replies&) = delete;

  void feed(std::string_view bytes);
  // The next whole reply. Nothing: more bytes must come; if trouble() is not empty, there is no
  // next.
  std::optional<Reply> next();
  const std::string& trouble() const { return trouble_; }

 private:
  struct Free {
    void operator()(redisReader* reader) const { redisReaderFree(reader); }
  };
  std::unique_ptr<redisReader, Free> reader_;
  std::size_t parts_ = 0;   // of the reply that is being read
  std::size_t unread_ = 0;  // bytes since the last reply
  std::string trouble_;
};

// The bytes of a request.
std::string request(std::span<const std::string_view> words);

}  // namespace quire::redis
