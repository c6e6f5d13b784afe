// Answers of Redis (RESP, version 2), taken from bytes as they come; and requests as bytes.
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
  std::string bytes = {};  // of a refusal: Redis's words
  std::vector<Reply> list = {};

  bool is(Kind other) const { return kind == other; }
};

// Lives with its connection; not thread-safe.
class Replies {
 public:
  static constexpr std::size_t most_bytes = 16 << 20;  // of one answer: a million ids
  static constexpr std::size_t most_parts = 1 << 18;

  Replies();
  Replies(const Replies&) = delete;  // hiredis knows where it is
  Replies& operator=(const Replies&) = delete;

  void feed(std::string_view bytes);
  // The next whole answer. None: more bytes must come; or, if there is trouble(), never.
  std::optional<Reply> next();
  const std::string& trouble() const { return trouble_; }

 private:
  struct Free {
    void operator()(redisReader* reader) const { redisReaderFree(reader); }
  };
  std::unique_ptr<redisReader, Free> reader_;
  std::size_t parts_ = 0;   // of the answer that is being read
  std::size_t unread_ = 0;  // bytes since the last answer
  std::string trouble_;
};

// A request of these words.
std::string request(std::span<const std::string_view> words);

}  // namespace quire::redis
