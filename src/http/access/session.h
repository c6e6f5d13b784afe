// The sessions of moderators in a browser. The server keeps none: the cookie has the token's
// digest, an end and an id, sealed; so a session ends with its token. The server remembers the ids
// of those that were ended before; another process, or one started later, does not.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cursor/siv.h"
#include "desk/tokens.h"

namespace quire::http {

inline constexpr std::uint64_t session_ms = 60 * 60 * 1000;

// Thread-safe.
class Sessions {
 public:
  static constexpr std::string_view cookie_name = "quire-moderation";
  static constexpr std::size_t max_ended = 10'000;

  // `key`: of no other use.
  explicit Sessions(const Siv::Key& key);
  ~Sessions();

  // The value of the cookie of a session that begins now.
  std::string begin(const desk::Token& token, std::uint64_t now_ms) const;
  // The token of the session with this cookie; null: it is forged, has ended, or its token is not
  // among these, has ended, or may not moderate.
  const desk::Token* find(std::string_view cookie, const desk::Tokens& tokens,
                          std::uint64_t now_ms) const;
  // Ends the session of this cookie, also for whoever has a copy of it. Of more than max_ended
  // sessions within an hour the oldest are forgotten. Of a cookie that is forged does nothing.
  void end(std::string_view cookie, std::uint64_t now_ms) const;
  // The value that the forms of a session carry, so that no other site can send them.
  std::string form_value(std::string_view cookie) const;

  // The value of this cookie in a Cookie header; empty: there is none.
  static std::string_view cookie_in(std::string_view header);

 private:
  class Ended;

  Siv siv_;
  Siv::Key key_;
  const std::unique_ptr<Ended> ended_;
};

}  // namespace quire::http
