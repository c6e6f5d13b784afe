// Replies of Redis (RESP, version 2), parsed as their bytes arrive; requests; and errors, which are
// all `unavailable`.
#pragma once

#include <hiredis/read.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loop/awaitable.h"
#include "quire/result.h"

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
  // The next whole reply. Absent: more bytes must come; if trouble() is not empty, there is no
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

// A script in Lua. Redis runs nothing else meanwhile, so nobody sees half of its work.
struct Script {
  explicit Script(std::string text);

  std::string text;
  std::string sha1;  // Redis knows a script by this name after its first call
};

constexpr Milliseconds read_timeout{2'000};
constexpr Milliseconds write_timeout{10'000};

struct Call {
  enum Effect { reads, writes };

  const Script& script;
  std::vector<std::string> keys;
  std::vector<std::string> arguments = {};
  Effect effect = reads;

  Milliseconds timeout() const { return effect == writes ? write_timeout : read_timeout; }

  // The bytes of the request: with the name of the script, or with its text.
  std::string by_name() const;
  std::string in_full() const;
};

Error unavailable(std::string message);
// The connection broke. `why` is a phrase, not a sentence.
Error broken(std::string_view why);
// The attempt to connect to `where` failed. `where` has no password.
Error unreachable(std::string_view where, std::string_view why);
// Redis sent a reply of the wrong kind.
Error unexpected_answer();

// Redis refused a request. `words`: Redis's message, which begins with a code.
Error refused(std::string_view words);
// As refused(), but never quotes Redis, whose words may repeat a password. Absent: unknown code.
std::optional<Error> known_refusal(std::string_view words);
// Whether Redis refuses the connection, not the request.
bool refuses_connection(std::string_view words);

}  // namespace quire::redis
