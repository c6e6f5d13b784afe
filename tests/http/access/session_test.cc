// Sessions of moderators: sealed, ended by time and by their token, and bound to their forms.
#include "http/access/session.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace quire::http {
namespace {

constexpr std::uint64_t now = 1'700'000'000'000;

Tokens tokens_of(const std::string& fields) {
  return Tokens::parse(sha256_hex("secret") + fields + "\n").tokens;
}

Siv::Key key(std::uint8_t first) {
  Siv::Key key{};
  key[0] = first;
  return key;
}

TEST(Sessions, FindTheTokenUntilAnHourLater) {
  Sessions sessions(key(1));
  auto tokens = tokens_of(" name=ann scopes=moderate");
  auto cookie = sessions.begin(*tokens.find("secret"), now);
  EXPECT_EQ(sessions.find(cookie, tokens, now), tokens.find("secret"));
  EXPECT_EQ(sessions.find(cookie, tokens, now + session_ms), tokens.find("secret"));
  EXPECT_EQ(sessions.find(cookie, tokens, now + session_ms + 1), nullptr);
}

TEST(Sessions, EndWithTheirToken) {
  Sessions sessions(key(1));
  auto tokens = tokens_of(" scopes=moderate");
  auto cookie = sessions.begin(*tokens.find("secret"), now);
  EXPECT_EQ(sessions.find(cookie, Tokens(), now), nullptr);
  EXPECT_EQ(sessions.find(cookie, tokens_of(" scopes=post,edit,import"), now), nullptr);
  EXPECT_EQ(sessions.find(cookie, tokens_of(" scopes=moderate until=2023-11-13"), now), nullptr);
  EXPECT_NE(sessions.find(cookie, tokens_of(" scopes=admin"), now), nullptr);
}

TEST(Sessions, AreNotForged) {
  Sessions sessions(key(1)), others(key(2));
  auto tokens = tokens_of(" scopes=moderate");
  auto cookie = sessions.begin(*tokens.find("secret"), now);
  EXPECT_EQ(others.find(cookie, tokens, now), nullptr);
  for (std::size_t i = 0; i < cookie.size(); ++i) {
    auto changed = cookie;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(sessions.find(changed, tokens, now), nullptr) << i;
    EXPECT_EQ(sessions.find(cookie.substr(0, i), tokens, now), nullptr);
  }
}

TEST(Sessions, HaveAFormValueOfTheirOwn) {
  Sessions sessions(key(1));
  EXPECT_EQ(sessions.form_value("a"), sessions.form_value("a"));
  EXPECT_NE(sessions.form_value("a"), sessions.form_value("b"));
  EXPECT_NE(sessions.form_value("a"), Sessions(key(2)).form_value("a"));
}

TEST(Sessions, AreFoundAmongOtherCookies) {
  EXPECT_EQ(Sessions::cookie_in("a=1; quire-moderation=xyz; b=2"), "xyz");
  EXPECT_EQ(Sessions::cookie_in("quire-moderation=xyz"), "xyz");
  EXPECT_EQ(Sessions::cookie_in("other-quire-moderation=xyz; quire-moderationx=1"), "");
  EXPECT_EQ(Sessions::cookie_in(""), "");
}

}  // namespace
}  // namespace quire::http
