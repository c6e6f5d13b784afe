#include "http/access/session.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/text.h"

namespace quire::http {
namespace {

constexpr std::size_t end_size = 8, id_size = 16, digest_size = 32;
constexpr std::size_t digest_at = end_size + id_size, plain_size = digest_at + digest_size;

// What the cookie of a session has, opened.
struct Session {
  std::uint64_t end_ms = 0;
  std::array<std::uint8_t, id_size> id;
  std::string token;  // its digest
};

std::optional<Session> session_in(const Siv& siv, std::string_view cookie) {
  auto plain = opened_text(siv, cookie);
  if (!plain || plain->size() != plain_size) return {};
  Session session;
  for (std::size_t i = 0; i < end_size; ++i) session.end_ms = session.end_ms << 8 | (*plain)[i];
  std::copy_n(plain->begin() + end_size, id_size, session.id.begin());
  session.token = hex(std::span(*plain).subspan(digest_at));
  return session;
}

}  // namespace

// By end and id, so that those which nobody needs to know any more come first. Thread-safe.
class Sessions::Ended {
 public:
  void add(const Session& session, std::uint64_t now_ms) {
    std::lock_guard lock(mutex_);
    sessions_.emplace(session.end_ms, session.id);
    while (sessions_.begin()->first < now_ms || sessions_.size() > max_ended)
      sessions_.erase(sessions_.begin());
  }
  bool has(const Session& session) {
    std::lock_guard lock(mutex_);
    return sessions_.contains({session.end_ms, session.id});
  }

 private:
  std::mutex mutex_;
  std::set<std::pair<std::uint64_t, std::array<std::uint8_t, id_size>>> sessions_;
};

Sessions::Sessions(const Siv::Key& key) : siv_(key), key_(key), ended_(std::make_unique<Ended>()) {}
Sessions::~Sessions() = default;

std::string Sessions::begin(const desk::Token& token, std::uint64_t now_ms) const {
  std::vector<std::uint8_t> plain(plain_size);
  auto end = now_ms + session_ms;
  for (std::size_t i = end_size; i > 0; end >>= 8) plain[--i] = static_cast<std::uint8_t>(end);
  if (getrandom(plain.data() + end_size, id_size, 0) != static_cast<ssize_t>(id_size))
    throw std::runtime_error("the operating system gives no random bytes");
  for (std::size_t i = 0; i < digest_size; ++i) {
    const char* digits = token.hash.data() + 2 * i;
    std::from_chars(digits, digits + 2, plain[digest_at + i], 16);
  }
  return sealed_text(siv_, std::move(plain));
}

const desk::Token* Sessions::find(std::string_view cookie, const desk::Tokens& tokens,
                                  std::uint64_t now_ms) const {
  auto session = session_in(siv_, cookie);
  if (!session || now_ms > session->end_ms || ended_->has(*session)) return nullptr;
  const auto* token = tokens.with_hash(session->token);
  return token && !token->ended(now_ms) && token->may(desk::Scope::moderate) ? token : nullptr;
}

void Sessions::end(std::string_view cookie, std::uint64_t now_ms) const {
  auto session = session_in(siv_, cookie);
  if (session && session->end_ms >= now_ms) ended_->add(*session, now_ms);
}

std::string Sessions::form_value(std::string_view cookie) const {
  auto mac = hmac_sha256({reinterpret_cast<const char*>(key_.data()), key_.size()},
                         "form " + std::string(cookie));
  return base64url_encode(mac);
}

std::string_view Sessions::cookie_in(std::string_view header) {
  while (!header.empty()) {
    auto pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(pair.size() + 1, header.size()));
    pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
    bool ours = pair.starts_with(cookie_name) && pair.substr(cookie_name.size()).starts_with('=');
    if (ours) return pair.substr(cookie_name.size() + 1);
  }
  return {};
}

}  // namespace quire::http
