#include "store/dynamodb/totals/marks.h"

#include <algorithm>

#include "base/clock.h"
#include "base/try.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

namespace {

using change::Phase;

Error damaged() {
  return {ErrorCode::damaged,
          "The marks of the statistics are damaged: remove the items with the PK "
          "PROJECTION#statistics from the table, and run quire backfill."};
}

constexpr std::string_view shard_prefix = "SHARD#";

Attribute text_of_phase(Phase phase) {
  return string(std::string(change::phase_name(phase)));
}

// Not every attribute may be an empty text, so an empty text is left out.
void set(Item& item, const char* name, const std::string& text) {
  if (!text.empty()) item.emplace(name, string(text));
}

std::string partition(std::string_view projection) {
  return "PROJECTION#" + std::string(projection);
}

}  // namespace

Awaitable<Result<change::State>> read_state(TableClient& client) {
  QueryArguments arguments{.table = client.table(),
                           .partition_name = "PK",
                           .partition = partition(statistics_projection),
                           .consistent = true};
  CO_TRY(auto found, co_await client.all(std::move(arguments), "the marks have no end"));
  change::State state;
  bool whole = std::all_of(found.items.begin(), found.items.end(),
                           [&](const Item& item) { return add_to_state(state, item); });
  if (!whole) co_return damaged();
  co_return state;
}

Awaitable<Result<std::uint64_t>> Freshness::get() {
  if (client_.now() < known_until_) co_return as_of_ms_;
  std::function<Awaitable<Result<std::uint64_t>>()> asks = [this] { return ask(); };
  co_return co_await answer_.get(std::move(asks));
}

// An eventually consistent read may see a state that is a few seconds old, so no later time is
// promised.
Awaitable<Result<std::uint64_t>> Freshness::ask() {
  constexpr std::uint64_t kept_ms = 1000 * TotalsCache::kept.count();
  auto now = client_.now();
  auto now_ms = system_ms();
  CO_TRY(auto state, co_await read_state(client_));
  bool follows = state.phase == Phase::following && co_await stream_.is(state.stream);
  auto as_of_ms = follows ? change::as_of_ms(state) : 0;
  is_sure_ = !state.marks.contains(change::lambda_mark);
  as_of_ms_ = std::min(as_of_ms, std::max(now_ms, kept_ms) - kept_ms);
  known_until_ = now + TotalsCache::kept;
  co_return as_of_ms_;
}

Item state_item(std::string_view projection, const change::State& state) {
  Item item = key_of(partition(projection), "STATE");
  item.emplace("phase", text_of_phase(state.phase));
  set(item, "epoch", state.epoch);
  set(item, "stream", state.stream);
  return item;
}

Expression state_is(const std::string& epoch, Phase phase) {
  return {"#e = :e AND #p = :p",
          {{"#e", "epoch"}, {"#p", "phase"}},
          {{":e", string(epoch)}, {":p", text_of_phase(phase)}}};
}

Action require_state(std::string_view projection, const change::State& state) {
  return {Action::Kind::put, state_item(projection, state), state_is(state.epoch, state.phase)};
}

Error epoch_ended() {
  return {ErrorCode::unavailable, "Another quire backfill has begun since, so this one ends."};
}

Error busy_statistics() {
  return {ErrorCode::unavailable,
          "Other writes to the same statistics got in the way. Try again in a moment."};
}

Item mark_key(std::string_view projection, const std::string& shard) {
  return key_of(partition(projection), std::string(shard_prefix) + shard);
}

Item mark_item(std::string_view projection, const std::string& epoch, const std::string& shard,
               const change::Mark& mark) {
  Item item = mark_key(projection, shard);
  set(item, "epoch", epoch);
  set(item, "sequence", mark.read_to);
  item.emplace("ended", number(mark.ended));
  item.emplace("as_of", number(mark.as_of_ms));
  return item;
}

Expression mark_is(const std::string& epoch, const std::optional<change::Mark>& mark) {
  if (!mark) return {"attribute_not_exists(#k)", {{"#k", "PK"}}, {}};
  Expression out{"#e = :e AND #d = :d AND ",
                 {{"#e", "epoch"}, {"#d", "ended"}, {"#s", "sequence"}},
                 {{":e", string(epoch)}, {":d", number(mark->ended)}}};
  out.text += mark->read_to.empty() ? "attribute_not_exists(#s)" : "#s = :s";
  if (!mark->read_to.empty()) out.values.emplace(":s", string(mark->read_to));
  return out;
}

bool add_to_state(change::State& state, const Item& item) {
  auto text = [&](const char* name) { return std::string(text_of(item, name).value_or("")); };
  auto sort = text("SK");
  if (sort == "STATE") {
    auto phase = change::parse_phase(text("phase"));
    if (!phase) return false;
    state.phase = *phase;
    state.epoch = text("epoch");
    state.stream = text("stream");
  } else if (sort.starts_with(shard_prefix)) {
    auto ended = number_of(item, "ended"), as_of = number_of(item, "as_of");
    if (!ended || !as_of) return false;
    state.marks[sort.substr(shard_prefix.size())] = {text("sequence"), *ended != 0, *as_of};
  }
  return true;
}

}  // namespace quire::dynamodb
