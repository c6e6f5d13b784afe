#include "store/embedded/outbox/outbox.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include <optional>
#include <utility>

#include "base/backend.h"

namespace quire::embedded {
namespace {

namespace json = boost::json;
using change::Mark;
using change::Phase;
using change::State;

std::optional<State> followed(const Edit& edit) {
  auto row = edit.followed();
  return row ? std::optional(decode_followed(*row)) : std::nullopt;
}

// Whether epoch and mark are those before the step.
bool is_at(const State& state, const change::Step& step) {
  if (state.epoch != step.epoch) return false;
  auto mark = state.marks.find(step.shard);
  if (mark == state.marks.end() || !step.before) return mark == state.marks.end() && !step.before;
  return mark->second.read_to == step.before->read_to && mark->second.ended == step.before->ended;
}

// When an epoch began: it is a ULID.
std::uint64_t begin_of(const std::string& epoch) {
  auto id = Ulid::parse(epoch);
  return id ? id->ms() : 0;
}

bool apply_to(Edit& edit, const change::Step& step) {
  auto state = followed(edit);
  if (!state || !is_at(*state, step)) return false;
  auto begin = begin_of(state->epoch);
  for (const auto& change : step.changes) {
    if (change.event && change::made_before(change.event->time_ms) > begin)
      edit.tell(*change.event);
  }
  state->marks[step.shard] = step.after;
  for (const auto& shard : step.forget) state->marks.erase(shard);
  edit.put_followed(encode_followed(*state));
  return true;
}

lmdb::Damaged damaged() {
  return lmdb::Damaged("the row of how far the stream was read is damaged");
}

}  // namespace

bool is_apart(const LmdbStore& store) {
  const auto& databases = store.databases();
  lmdb::ReadTransaction txn(*databases.environment);
  const auto& meta = databases.meta;
  if (txn.get().find(meta.dbi, followed_row)) return true;
  for (MDB_dbi dbi : {databases.ids.dbi, databases.pending.dbi, databases.rejected.dbi,
                      databases.facts.dbi, databases.facets.dbi, databases.events.dbi}) {
    if (txn.entries(dbi) > 0) return false;
  }
  return true;
}

std::string encode_followed(const State& state) {
  json::object marks;
  for (const auto& [shard, mark] : state.marks)
    marks[shard] = {{"read_to", mark.read_to}, {"ended", mark.ended}, {"as_of_ms", mark.as_of_ms}};
  return json::serialize(json::object{{"phase", change::phase_name(state.phase)},
                                      {"epoch", state.epoch},
                                      {"stream", state.stream},
                                      {"marks", std::move(marks)}});
}

State decode_followed(std::string_view row) try {
  auto object = json::parse(row).as_object();
  auto text = [](const json::object& of, std::string_view name) {
    return std::string(std::string_view(of.at(name).as_string()));
  };
  auto phase = change::parse_phase(text(object, "phase"));
  if (!phase) throw damaged();
  State state;
  state.phase = *phase;
  state.epoch = text(object, "epoch");
  state.stream = text(object, "stream");
  for (const auto& [shard, value] : object.at("marks").as_object()) {
    const auto& mark = value.as_object();
    state.marks[shard] = {text(mark, "read_to"), mark.at("ended").as_bool(),
                          mark.at("as_of_ms").to_number<std::uint64_t>()};
  }
  return state;
} catch (const std::exception&) {
  throw damaged();
}

Awaitable<Result<State>> Outbox::state() {
  const auto& databases = store_.databases();
  try {
    lmdb::ReadTransaction txn(*databases.environment);
    auto row = txn.find(databases.meta, followed_row);
    co_return row ? decode_followed(*row) : State();
  } catch (const std::exception& thrown) {
    co_return Error{ErrorCode::unavailable,
                    fmt::format("The log of events: {}. Run quire verify --repair --store lmdb:{}.",
                                thrown.what(), databases.directory)};
  }
}

Awaitable<Result<bool>> Outbox::apply(change::Step step) {
  auto work = [step = std::move(step)](Edit& edit) -> Result<bool> { return apply_to(edit, step); };
  co_return co_await store_.write<bool>(std::move(work));
}

Awaitable<Status> Outbox::reset(State state) {
  auto work = [row = encode_followed(state)](Edit& edit) -> Status {
    edit.put_followed(row);
    return Done{};
  };
  co_return co_await store_.write<Done>(std::move(work));
}

Awaitable<Result<bool>> Outbox::change_phase(std::string epoch, Phase from, Phase to) {
  auto work = [epoch = std::move(epoch), from, to](Edit& edit) -> Result<bool> {
    auto state = followed(edit);
    if (!state || state->epoch != epoch || state->phase != from) return false;
    state->phase = to;
    edit.put_followed(encode_followed(*state));
    return true;
  };
  co_return co_await store_.write<bool>(std::move(work));
}

}  // namespace quire::embedded
