#include "projection/shards.h"

#include <fmt/format.h>

#include <algorithm>

namespace quire::projection {
namespace {

// The service may drop a record that is older.
constexpr std::uint64_t kept_ms = 24 * 3'600'000;

const Mark* find(const State& state, const std::string& shard) {
  auto at = state.marks.find(shard);
  return at == state.marks.end() ? nullptr : &at->second;
}

const Shard* find(const Stream& stream, const std::string& shard) {
  auto at = std::find_if(stream.shards.begin(), stream.shards.end(),
                         [&](const Shard& each) { return each.id == shard; });
  return at == stream.shards.end() ? nullptr : &*at;
}

// The time after which the first record of a shard was written; 0: not known. A shard that is read
// from its beginning does not tell whether that is still there.
std::uint64_t begins_ms(const State& state, const Shard& shard) {
  const Mark *own = find(state, shard.id), *parent = find(state, shard.parent);
  if (own && (own->ended || !own->read_to.empty())) return 0;
  if (own) return own->as_of_ms > 0 ? own->as_of_ms : begun_ms(state.epoch);
  return parent && parent->ended ? parent->as_of_ms : 0;
}

}  // namespace

std::uint64_t begun_ms(const std::string& epoch) {
  auto id = Ulid::parse(epoch);
  return id ? id->ms() : 0;
}

std::map<std::string, Mark> first_marks(const Stream& stream, std::uint64_t now_ms) {
  std::map<std::string, Mark> marks;
  for (const auto& shard : stream.shards) marks[shard.id] = {{}, !shard.open, now_ms};
  return marks;
}

std::vector<std::string> readable(const State& state, const Stream& stream) {
  std::vector<std::string> out;
  for (const auto& shard : stream.shards) {
    const Mark *own = find(state, shard.id), *parent = find(state, shard.parent);
    bool begun = own && !own->read_to.empty();  // a mark alone says that its parent is about to end
    bool waits = !begun && find(stream, shard.parent) && !(parent && parent->ended);
    if (!waits && !(own && own->ended)) out.push_back(shard.id);
  }
  return out;
}

std::string broken_off(const State& state, const Stream& stream, std::uint64_t now_ms) {
  if (state.stream != stream.arn)
    return "The table has another stream than before. Changes between the two streams are lost.";
  if (state.marks.contains(lambda_mark)) return {};  // Lambda alone knows what comes next
  constexpr auto trimmed = "The stream no longer has records that were not applied yet (shard {}).";
  for (const auto& [id, mark] : state.marks) {
    if (!mark.ended && !is_segment(id) && !find(stream, id)) return fmt::format(trimmed, id);
  }
  for (const auto& shard : stream.shards) {
    bool known = find(state, shard.id) || shard.parent.empty() || find(state, shard.parent) ||
                 find(stream, shard.parent);
    if (!known) return fmt::format(trimmed, shard.parent);
    auto begins = begins_ms(state, shard);
    if (begins > 0 && begins + kept_ms < now_ms) return fmt::format(trimmed, shard.id);
  }
  return {};
}

std::uint64_t as_of_ms(const State& state, const Stream& stream) {
  auto as_of = as_of_ms(state);
  for (const auto& shard : stream.shards) {
    const Mark* parent = find(state, shard.parent);
    // A shard whose parent is not known either is no older than the parent.
    if (find(state, shard.id) || (!parent && find(stream, shard.parent))) continue;
    as_of = std::min(as_of, parent ? parent->as_of_ms : 0);
  }
  return as_of;
}

std::vector<std::string> forgettable(const State& state, const Stream& stream) {
  std::vector<std::string> out;
  for (const auto& [id, mark] : state.marks) {
    bool parent = std::any_of(stream.shards.begin(), stream.shards.end(),
                              [&](const Shard& shard) { return shard.parent == id; });
    if (mark.ended && !parent && !find(stream, id)) out.push_back(id);
  }
  return out;
}

bool not_after(const std::string& sequence, const std::string& other) {
  auto padded = [](const std::string& digits) { return fmt::format("{:0>40}", digits); };
  return padded(sequence) <= padded(other);
}

std::string segment_name(std::size_t segment, std::size_t segments) {
  return fmt::format("scan/{:03}/{:03}", segment, segments);
}

bool is_segment(const std::string& shard) {
  return shard.starts_with("scan/");
}

}  // namespace quire::projection
