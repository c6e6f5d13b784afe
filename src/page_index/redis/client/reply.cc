#include "page_index/redis/client/reply.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <new>

#include "base/hash.h"

namespace quire::redis {

namespace {

// Hiredis asks for one object per part, parents before their children. Only the last part of each
// list is unfinished, so no part moves while hiredis holds a pointer to it.
void* add(const redisReadTask* task, Reply reply) {
  auto& parts = *static_cast<std::size_t*>(task->privdata);
  if (++parts > Replies::max_parts) return nullptr;
  if (!task->parent) return new Reply(std::move(reply));
  auto& list = static_cast<Reply*>(task->parent->obj)->list;
  return &list.emplace_back(std::move(reply));
}

void* add_string(const redisReadTask* task, char* text, std::size_t size) {
  bool refusal = task->type == REDIS_REPLY_ERROR;
  return add(task, {refusal ? Reply::Kind::refusal : Reply::Kind::bytes, 0, {text, size}});
}

// Ignores the announced number of parts: memory is taken only for parts that come.
void* add_list(const redisReadTask* task, int) {
  return add(task, {Reply::Kind::list});
}

void* add_number(const redisReadTask* task, long long number) {
  return add(task, {Reply::Kind::number, number});
}

void* add_nothing(const redisReadTask* task) {
  return add(task, {});
}

void free_reply(void* reply) {
  delete static_cast<Reply*>(reply);
}

redisReplyObjectFunctions functions{add_string, add_list, add_number, add_nothing, free_reply};

std::string words_of(std::string_view command, std::string_view script, const Call& call) {
  auto count = std::to_string(call.keys.size());
  std::vector<std::string_view> words{command, script, count};
  words.insert(words.end(), call.keys.begin(), call.keys.end());
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  return request(words);
}

struct Refusal {
  std::string_view code;
  std::string_view meaning;
  bool with_words = false;  // quotes Redis, which says more and no secret
};

constexpr std::array<Refusal, 18> refusals = {{
    {"NOAUTH", "wants a password: give it in its address, or in QUIRE_PAGES_PASSWORD."},
    {"WRONGPASS", "does not accept this user and password."},
    {"ERR invalid password", "does not accept this password."},
    {"NOPERM", "does not let this user do what Quire needs: see docs/formats/pages-redis.md.",
     true},
    {"LOADING", "loads its data after a start. Try again in a moment."},
    {"BUSY", "is busy with another script. Try again in a moment."},
    {"OOM", "has no memory left: raise Redis's maxmemory, or make room."},
    {"READONLY", "is a replica, which takes no writes: give the address of its primary."},
    {"MASTERDOWN", "is a replica that lost its primary. Try again when they are connected."},
    {"MISCONF", "cannot save to its disk, and so takes no writes: see Redis's log."},
    {"NOREPLICAS", "has too few replicas connected to take writes: see min-replicas-to-write."},
    {"CLUSTERDOWN", "is a cluster that is down. Try again when it is up."},
    {"MOVED", "is in a cluster whose nodes this user may not ask for: allow CLUSTER SLOTS.", true},
    {"ASK", "is moving between nodes of the cluster. Try again in a moment.", true},
    {"TRYAGAIN", "is moving between nodes of the cluster. Try again in a moment."},
    {"DENIED", "takes no connections from other machines: see Redis's protected-mode."},
    {"ERR max number of clients", "has too many connections: see Redis's maxclients."},
    {"WRONGTYPE", "has something else under its keys: give it a database of its own."},
}};

// Before version 7 the refusal of a script quotes the refusal of its command: "ERR ...: -OOM ...".
bool tells(std::string_view words, std::string_view code) {
  return words.starts_with(code) || words.find(": -" + std::string(code)) != words.npos;
}

std::string quoted(std::string_view words) {
  constexpr std::size_t enough = 200;
  std::string text(words.substr(0, enough));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  }
  return " Redis says: \"" + text + "\".";
}

}  // namespace

Replies::Replies() : reader_(redisReaderCreateWithFunctions(&functions)) {
  if (!reader_) throw std::bad_alloc();
  reader_->privdata = &parts_;
}

void Replies::feed(std::string_view bytes) {
  unread_ += bytes.size();
  if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != 0)
    trouble_ = "it could not be read";
}

std::optional<Reply> Replies::next() {
  void* found = nullptr;
  if (trouble_.empty() && redisReaderGetReply(reader_.get(), &found) != 0) {
    bool too_many = parts_ > max_parts;
    trouble_ = too_many ? "the answer is too large" : "this is not Redis's protocol";
  }
  if (found) {
    std::unique_ptr<Reply> reply(static_cast<Reply*>(found));
    unread_ = reader_->len - reader_->pos;
    parts_ = 0;
    return std::move(*reply);
  }
  if (trouble_.empty() && unread_ > max_bytes) trouble_ = "the answer is too large";
  return {};
}

std::string request(std::span<const std::string_view> words) {
  std::string bytes;
  fmt::format_to(std::back_inserter(bytes), "*{}\r\n", words.size());
  for (auto word : words) {
    fmt::format_to(std::back_inserter(bytes), "${}\r\n", word.size());
    bytes.append(word).append("\r\n");
  }
  return bytes;
}

Script::Script(std::string text) : text(std::move(text)), sha1(sha1_hex(this->text)) {}

std::string Call::by_name() const {
  return words_of("EVALSHA", script.sha1, *this);
}

std::string Call::in_full() const {
  return words_of("EVAL", script.text, *this);
}

Error unavailable(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

Error broken(std::string_view why) {
  return unavailable("The page index does not answer (" + std::string(why) +
                     "). Try again in a moment.");
}

Error unreachable(std::string_view where, std::string_view why) {
  return unavailable("The page index does not answer (" + std::string(where) + ": " +
                     std::string(why) +
                     "). Check its address, and whether Redis runs there; then try again.");
}

Error unexpected_answer() {
  return unavailable(
      "The page index sent a reply that Quire does not know. Check that its address is that of a "
      "Redis server of version 5 or later.");
}

std::optional<Error> known_refusal(std::string_view words) {
  for (const auto& [code, meaning, with_words] : refusals) {
    if (!tells(words, code)) continue;
    return unavailable("The page index " + std::string(meaning) +
                       (with_words ? quoted(words) : ""));
  }
  return {};
}

bool refuses_connection(std::string_view words) {
  return words.starts_with("DENIED") || words.starts_with("ERR max number of clients");
}

Error refused(std::string_view words) {
  auto known = known_refusal(words);
  if (known) return *known;
  return unavailable("The page index refused a request." + quoted(words));
}

}  // namespace quire::redis
