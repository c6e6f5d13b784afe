// Sessions of moderators: sealed, ended by time and by their token, and bound to their forms.
#include "http/access/session.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace quire::http {
namespace {

constexpr std::uint64_t begun = 1'700'000'000'000;

desk::Tokens tokens_with(const std::string& fields) {
  return desk::Tokens::parse(sha256_hex("secret") + fields + "\n").tokens;
}

Siv::Key session_key(std::uint8_t first) {
  Siv::Key key{};
  key[0] = first;
  return key;
}

TEST(Sessions, FindTheTokenUntilAnHourLater) {
  Sessions sessions(session_key(1));
  auto tokens = tokens_with(" name=ann scopes=moderate");
  auto cookie = sessions.begin(*tokens.find("secret"), begun);
  EXPECT_EQ(sessions.find(cookie, tokens, begun), tokens.find("secret"));
  EXPECT_EQ(sessions.find(cookie, tokens, begun + session_ms), tokens.find("secret"));
  EXPECT_EQ(sessions.find(cookie, tokens, begun + session_ms + 1), nullptr);
}

TEST(Sessions, EndWithTheirToken) {
  Sessions sessions(session_key(1));
  auto tokens = tokens_with(" scopes=moderate");
  auto cookie = sessions.begin(*tokens.find("secret"), begun);
  EXPECT_EQ(sessions.find(cookie, desk::Tokens(), begun), nullptr);
  EXPECT_EQ(sessions.find(cookie, tokens_with(" scopes=post,edit,import"), begun), nullptr);
  EXPECT_EQ(sessions.find(cookie, tokens_with(" scopes=moderate until=2023-11-13"), begun),
            nullptr);
  EXPECT_NE(sessions.find(cookie, tokens_with(" scopes=admin"), begun), nullptr);
}

TEST(Sessions, AreEndedOneByOne) {
  Sessions sessions(session_key(1));
  auto tokens = tokens_with(" name=ann scopes=moderate");
  const auto& token = *tokens.find("secret");
  auto one = sessions.begin(token, begun), other = sessions.begin(token, begun);
  EXPECT_NE(one, other);
  sessions.end(one, begun);
  EXPECT_EQ(sessions.find(one, tokens, begun), nullptr);
  EXPECT_EQ(sessions.find(other, tokens, begun), &token);
  EXPECT_EQ(Sessions(session_key(1)).find(one, tokens, begun), &token) << "as after a restart";
  sessions.end("forged", begun);
  sessions.end("", begun);
}

TEST(Sessions, RememberTheEndedOnesOfAnHour) {
  Sessions sessions(session_key(1));
  auto tokens = tokens_with(" name=ann scopes=moderate");
  const auto& token = *tokens.find("secret");
  auto oldest = sessions.begin(token, begun - 1), next = sessions.begin(token, begun);
  sessions.end(oldest, begun);
  sessions.end(next, begun);
  for (std::size_t i = 2; i < Sessions::max_ended; ++i)
    sessions.end(sessions.begin(token, begun + 1), begun + 1);
  EXPECT_EQ(sessions.find(oldest, tokens, begun), nullptr);
  sessions.end(sessions.begin(token, begun + 1), begun + 1);
  EXPECT_EQ(sessions.find(oldest, tokens, begun), &token) << "there is no room for more";
  EXPECT_EQ(sessions.find(next, tokens, begun), nullptr);
}

TEST(Sessions, AreNotForged) {
  Sessions sessions(session_key(1)), others(session_key(2));
  auto tokens = tokens_with(" scopes=moderate");
  auto cookie = sessions.begin(*tokens.find("secret"), begun);
  EXPECT_EQ(others.find(cookie, tokens, begun), nullptr);
  for (std::size_t i = 0; i < cookie.size(); ++i) {
    auto changed = cookie;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(sessions.find(changed, tokens, begun), nullptr) << i;
    EXPECT_EQ(sessions.find(cookie.substr(0, i), tokens, begun), nullptr);
  }
}

TEST(Sessions, HaveAFormValueOfTheirOwn) {
  Sessions sessions(session_key(1));
  EXPECT_EQ(sessions.form_value("a"), sessions.form_value("a"));
  EXPECT_NE(sessions.form_value("a"), sessions.form_value("b"));
  EXPECT_NE(sessions.form_value("a"), Sessions(session_key(2)).form_value("a"));
}

TEST(Sessions, AreFoundAmongOtherCookies) {
  EXPECT_EQ(Sessions::cookie_in("a=1; quire-moderation=xyz; b=2"), "xyz");
  EXPECT_EQ(Sessions::cookie_in("quire-moderation=xyz"), "xyz");
  EXPECT_EQ(Sessions::cookie_in("other-quire-moderation=xyz; quire-moderationx=1"), "");
  EXPECT_EQ(Sessions::cookie_in(""), "");
}

}  // namespace
}  // namespace quire::http
