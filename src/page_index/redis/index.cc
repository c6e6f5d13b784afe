#include "page_index/redis/index.h"

#include <boost/asio/post.hpp>
#include <future>
#include <random>

#include "model/index.h"
#include "page_index/redis/changes.h"
#include "page_index/redis/client.h"
#include "page_index/redis/errors.h"
#include "page_index/redis/ranks.h"
#include "page_index/redis/scripts.h"
#include "page_index/redis/state.h"

namespace quire::redis {

namespace asio = boost::asio;
using change::Phase;
using change::State;
using change::Step;
namespace {

// Keys per SCAN. Redis removes so many keys within a few ms.
constexpr std::string_view scan_keys = "1000";

std::string random_word() {
  std::random_device random;
  return std::to_string(std::uint64_t{random()} << 32 | random());
}

Error being_reset() {
  return unavailable(
      "The page index is being rebuilt, or a rebuild was interrupted. Wait for quire backfill, or "
      "run it again.");
}

Error reset_lost() {
  return unavailable(
      "Another process emptied the page index at the same time, or Redis lost its data. Try "
      "again.");
}

}  // namespace

RedisIndex::RedisIndex(RedisAddress address, std::string_view name)
    : keys_(name), client_(std::make_unique<Client>(loop_.context(), std::move(address))) {}

RedisIndex::~RedisIndex() {
  std::packaged_task<void()> end([this] { client_.reset(); });
  auto ended = end.get_future();
  asio::post(loop_.context(), [end = std::move(end)]() mutable { end(); });
  ended.wait();
}

Awaitable<Result<State>> RedisIndex::state() {
  Call call{state_scripts().state, {keys_.state(), keys_.marks()}};
  auto reply = co_await this->call(std::move(call));
  if (!reply) co_return reply.error();
  co_return state_of(*reply);
}

Awaitable<Result<bool>> RedisIndex::apply(Step step) {
  Call call{state_scripts().apply,
            {keys_.state(), keys_.marks(), keys_.products(), keys_.languages()},
            {step.epoch, step.shard, mark_place(step.before), mark_text(step.after),
             std::to_string(step.forget.size())},
            write_timeout};
  call.arguments.insert(call.arguments.end(), step.forget.begin(), step.forget.end());
  append_changes(call, keys_, step.changes);
  auto made = co_await decide(std::move(call));
  co_return made;
}

Awaitable<Status> RedisIndex::put(std::vector<change::Change> changes) {
  Call call{state_scripts().put,
            {keys_.state(), keys_.marks(), keys_.products(), keys_.languages()},
            {},
            write_timeout};
  append_changes(call, keys_, changes);
  auto done = co_await decide(std::move(call));
  if (!done) co_return done.error();
  if (!*done) co_return being_reset();
  co_return Done{};
}

Awaitable<Result<bool>> RedisIndex::turn(std::string epoch, Phase from, Phase to) {
  Call call{state_scripts().turn,
            {keys_.state()},
            {std::move(epoch), phase_text(from), phase_text(to)},
            write_timeout};
  auto turned = co_await decide(std::move(call));
  co_return turned;
}

// A reset first removes the epoch, so no step is applied until it ends. Of two resets at once the
// later one wins: the earlier one finds another word in the state, and removes nothing more.
Awaitable<Status> RedisIndex::reset(State state) {
  std::string word = random_word();
  Call begin{state_scripts().begin_reset, {keys_.state()}, {word}, write_timeout};
  auto begun = co_await decide(std::move(begin));
  if (!begun) co_return begun.error();
  auto unlinked = co_await unlink_all(word);
  if (!unlinked) co_return unlinked.error();
  Call end{state_scripts().end_reset,
           {keys_.state(), keys_.marks()},
           {word, std::string(format), state.epoch, phase_text(state.phase), state.stream},
           write_timeout};
  for (const auto& [shard, mark] : state.marks) {
    end.arguments.push_back(shard);
    end.arguments.push_back(mark_text(mark));
  }
  auto ended = co_await decide(std::move(end));
  if (!ended) co_return ended.error();
  if (!*ended) co_return reset_lost();
  co_return Done{};
}

Awaitable<Status> RedisIndex::unlink_all(std::string word) {
  std::string cursor = "0";
  do {
    std::vector<std::string> scan{"SCAN",      cursor,  "MATCH",
                                  keys_.all(), "COUNT", std::string(scan_keys)};
    auto scanned = co_await ask(std::move(scan), write_timeout);
    if (!scanned) co_return scanned.error();
    if (scanned->list.size() != 2 || !scanned->list[0].is(Reply::Kind::bytes))
      co_return unexpected_answer();
    cursor = scanned->list[0].bytes;
    Call unlink{state_scripts().unlink, {keys_.state()}, {word}, write_timeout};
    for (const auto& key : scanned->list[1].list) {
      if (key.bytes != keys_.state()) unlink.keys.push_back(key.bytes);
    }
    auto unlinked = co_await decide(std::move(unlink));
    if (!unlinked) co_return unlinked.error();
    if (!*unlinked) co_return reset_lost();
  } while (cursor != "0");
  co_return Done{};
}

std::unique_ptr<Ranks> RedisIndex::ranks() {
  auto ask = [this](Call call) { return this->call(std::move(call)); };
  return std::make_unique<RedisRanks>(keys_, std::move(ask));
}

Awaitable<Result<std::vector<std::string>>> RedisIndex::products(std::string after,
                                                                 std::size_t limit) {
  std::vector<std::string> words{"ZRANGEBYLEX", keys_.products(),     "(" + after, "+", "LIMIT",
                                 "0",           std::to_string(limit)};
  auto products = co_await names(std::move(words));
  co_return products;
}

Awaitable<Result<std::vector<FacetValue>>> RedisIndex::languages(std::string product) {
  std::string begin = list_key(product, {}) + "/", end = begin;
  ++end.back();
  std::vector<std::string> words{"ZRANGEBYLEX", keys_.languages(), "(" + begin, "(" + end};
  auto lists = co_await names(std::move(words));
  if (!lists) co_return lists.error();
  std::vector<FacetValue> languages;
  for (std::string_view list : *lists) {
    if (!list.starts_with(begin)) co_return unexpected_answer();
    auto value = list_facets[language_facet].parse(list.substr(begin.size()));
    if (!value) co_return unexpected_answer();
    languages.push_back(*value);
  }
  co_return languages;
}

Awaitable<Result<std::vector<std::string>>> RedisIndex::names(std::vector<std::string> words) {
  auto reply = co_await ask(std::move(words), read_timeout);
  if (!reply) co_return reply.error();
  if (!reply->is(Reply::Kind::list)) co_return unexpected_answer();
  std::vector<std::string> names;
  for (auto& each : reply->list) {
    if (!each.is(Reply::Kind::bytes)) co_return unexpected_answer();
    names.push_back(std::move(each.bytes));
  }
  co_return names;
}

Awaitable<Result<bool>> RedisIndex::decide(Call call) {
  auto reply = co_await this->call(std::move(call));
  if (!reply) co_return reply.error();
  if (!reply->is(Reply::Kind::number)) co_return unexpected_answer();
  co_return reply->number == 1;
}

Awaitable<Result<Reply>> RedisIndex::call(Call call) {
  auto reply = co_await loop_.run(client_->call(std::move(call)));
  co_return reply;
}

Awaitable<Result<Reply>> RedisIndex::ask(std::vector<std::string> words, Milliseconds timeout) {
  std::vector<std::string_view> views(words.begin(), words.end());
  auto reply = co_await loop_.run(client_->ask(request(views), timeout));
  co_return reply;
}

}  // namespace quire::redis
