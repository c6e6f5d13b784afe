#include "page_index/redis/state.h"
#include "base/try.h"

#include "base/clock.h"
#include "base/text.h"
#include "loop/loop.h"
#include "page_index/redis/buckets.h"
#include "page_index/redis/client/slots.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {

unsigned bucket_of(std::string_view product) {
  return crc16(product) % bucket_count;
}

std::array<std::string, rating_count> Bucket::lists(std::string_view name) const {
  std::array<std::string, rating_count> keys;
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = prefix_ + std::string(name) + "/" + std::to_string(i + 1);
  return keys;
}

// A percent-encoded name has no slash, so no name has the keys of another's bucket.
Keys::Keys(std::string_view name) : prefix_("quire-pages:{" + percent_encode(name)) {}

Bucket Keys::bucket(unsigned number) const {
  return Bucket(prefix_ + "/" + std::to_string(number) + "}:");
}

namespace {

using change::Mark;
using change::State;

std::optional<Mark> parse_mark(std::string_view text) {
  bool begins = text.starts_with("0 ") || text.starts_with("1 ");
  auto space = text.find(' ', 2);
  if (!begins || space == text.npos) return {};
  auto as_of_ms = parse_integer<std::uint64_t>(text.substr(2, space - 2));
  if (!as_of_ms) return {};
  return Mark{std::string(text.substr(space + 1)), text[0] == '1', *as_of_ms};
}

// Fields and values alternate.
std::optional<std::map<std::string, std::string>> hash_of(const Reply& reply) {
  std::map<std::string, std::string> hash;
  if (!reply.is(Reply::Kind::list) || reply.list.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < reply.list.size(); i += 2) {
    const auto &field = reply.list[i], &value = reply.list[i + 1];
    if (!field.is(Reply::Kind::bytes) || !value.is(Reply::Kind::bytes)) return {};
    hash[field.bytes] = value.bytes;
  }
  return hash;
}

Error damaged() {
  return unavailable(
      "The state of the page index in Redis is not what Quire writes. Run quire backfill --again, "
      "or give the page index a database of its own.");
}

// Of products, and of languages, at a time. Redis removes their lists within a few ms.
constexpr std::size_t names_at_once = 200;

Error reset_lost() {
  return unavailable(
      "Another process emptied the page index at the same time, or Redis lost its data. Try "
      "again.");
}

// The call that removes the lists of these names.
Call unlink_call(const Bucket& bucket, const std::string& number,
                 const std::vector<std::string>& products,
                 const std::vector<std::string>& languages) {
  Call call{reset_scripts().unlink,
            {bucket.state(), bucket.products(), bucket.languages()},
            {number, std::to_string(products.size())},
            Call::writes};
  auto unlink = [&](const std::string& note, const std::string& name) {
    for (auto& key : bucket.lists(name)) call.keys.push_back(std::move(key));
    call.arguments.push_back(note);
  };
  for (const auto& product : products) unlink(product, list_key(product, {}));
  for (const auto& language : languages) unlink(language, language);
  return call;
}

Awaitable<Status> empty(Buckets& buckets, unsigned number_of_bucket, std::string number) {
  auto bucket = buckets.keys().bucket(number_of_bucket);
  for (;;) {
    Call look{reset_scripts().empty,
              {bucket.state(), bucket.fences(), bucket.products(), bucket.languages()},
              {number, std::to_string(names_at_once)},
              Call::writes};
    CO_TRY(auto reply, co_await buckets.send(std::move(look)));
    if (reply.is(Reply::Kind::number)) co_return reset_lost();
    if (reply.list.size() != 2) co_return unexpected_answer();
    auto products = words_of(std::move(reply.list[0])),
         languages = words_of(std::move(reply.list[1]));
    if (!products || !languages) co_return unexpected_answer();
    if (products->empty() && languages->empty()) co_return Done{};
    CO_TRY(auto unlinked,
           co_await buckets.decide(unlink_call(bucket, number, *products, *languages)));
    if (!unlinked) co_return reset_lost();
  }
}

Call end_call(const Keys& keys, const std::string& number, const change::State& state) {
  Call end{state_scripts().end_reset,
           {keys.state(), keys.marks(), keys.counts(), keys.open(), keys.steps()},
           {number, std::string(format), state.epoch, std::string(phase_name(state.phase)),
            state.stream},
           Call::writes};
  for (const auto& [shard, mark] : state.marks) {
    end.arguments.push_back(shard);
    end.arguments.push_back(mark_text(mark));
  }
  return end;
}

}  // namespace

std::string mark_text(const Mark& mark) {
  return (mark.ended ? "1 " : "0 ") + std::to_string(mark.as_of_ms) + " " + mark.read_to;
}

std::string mark_place(const std::optional<Mark>& mark) {
  return mark ? (mark->ended ? "1 " : "0 ") + mark->read_to : "";
}

std::optional<std::vector<std::string>> words_of(Reply reply) {
  std::vector<std::string> words;
  if (!reply.is(Reply::Kind::list)) return {};
  for (auto& each : reply.list) {
    if (!each.is(Reply::Kind::bytes)) return {};
    words.push_back(std::move(each.bytes));
  }
  return words;
}

std::optional<BucketCounts> counts_of(const Reply& reply) {
  auto hash = hash_of(reply);
  if (!hash) return {};
  BucketCounts counts;
  for (const auto& [bucket, count] : *hash) {
    auto number = parse_integer<unsigned>(bucket);
    auto changes = parse_integer<std::uint64_t>(count);
    if (!number || *number >= bucket_count || !changes) return {};
    counts.emplace_back(*number, *changes);
  }
  return counts;
}

Result<KnownState> known_of(const Reply& reply) {
  if (!reply.is(Reply::Kind::list) || reply.list.size() != 3) return unexpected_answer();
  auto fields = hash_of(reply.list[0]), marks = hash_of(reply.list[1]);
  if (!fields || !marks) return unexpected_answer();
  KnownState known{.resetting = fields->contains("resetting")};
  if (!fields->contains("epoch")) return known;  // no index, or an unfinished reset
  if ((*fields)["format"] != format) {
    return unavailable(
        "Another version of Quire wrote the page index in Redis. Use that version, or run quire "
        "backfill --again.");
  }
  auto phase = change::parse_phase((*fields)["phase"]);
  auto counts = counts_of(reply.list[2]);
  if (!phase || !counts || !fields->contains("life")) return damaged();
  known.life = (*fields)["life"];
  for (auto [bucket, count] : *counts) known.counts[bucket] = count;
  known.state = {*phase, (*fields)["epoch"], (*fields)["stream"], {}};
  for (const auto& [shard, text] : *marks) {
    auto mark = parse_mark(text);
    if (!mark) return damaged();
    known.state.marks[shard] = *mark;
  }
  return known;
}

Awaitable<Status> reset(Buckets& buckets, change::State state) {
  Call begin{state_scripts().begin_reset,
             {buckets.keys().state()},
             {std::to_string(system_ms())},
             Call::writes};
  auto begun = co_await buckets.send(std::move(begin));
  buckets.forget();
  if (!begun) co_return begun.error();
  if (!begun->is(Reply::Kind::bytes)) co_return unexpected_answer();
  const std::string number = begun->bytes;
  std::vector<Awaitable<Status>> works;
  for (unsigned bucket = 0; bucket < bucket_count; ++bucket)
    works.push_back(empty(buckets, bucket, number));
  auto emptied = co_await all(std::move(works));
  for (const auto& each : emptied) {
    if (!each) co_return each.error();
  }
  auto ended = co_await buckets.decide(end_call(buckets.keys(), number, state));
  buckets.forget();
  if (!ended) co_return ended.error();
  if (!*ended) co_return reset_lost();
  co_return Done{};
}

}  // namespace quire::redis
