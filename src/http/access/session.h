// The sessions of moderators in a browser. The server keeps none: the cookie has the token's digest
// and an end, sealed; so a session ends with its token.
#pragma once

#include <cstdint>
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

  // `key`: of no other use.
  explicit Sessions(const Siv::Key& key) : siv_(key), key_(key) {}

  // The value of the cookie of a session that begins now.
  std::string begin(const desk::Token& token, std::uint64_t now_ms) const;
  // The token of the session with this cookie; null: it is forged, has ended, or its token is not
  // among these, has ended, or may not moderate.
  const desk::Token* find(std::string_view cookie, const desk::Tokens& tokens,
                          std::uint64_t now_ms) const;
  // The value that the forms of a session carry, so that no other site can send them.
  std::string form_value(std::string_view cookie) const;

  // The value of this cookie in a Cookie header; empty: there is none.
  static std::string_view cookie_in(std::string_view header);

 private:
  Siv siv_;
  Siv::Key key_;
};

}  // namespace quire::http
