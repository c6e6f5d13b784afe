#include "page_index/redis/state.h"

#include <array>
#include <charconv>

#include "base/text.h"
#include "page_index/redis/client/errors.h"
#include "page_index/redis/client/slots.h"

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
using change::Phase;
using change::State;

constexpr std::array<std::string_view, 4> phases = {"empty", "building", "following", "lost"};

template <class Number>
bool parse(std::string_view text, Number& number) {
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc{} && end == text.data() + text.size();
}

std::optional<Phase> parse_phase(std::string_view text) {
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i] == text) return static_cast<Phase>(i);
  }
  return {};
}

std::optional<Mark> parse_mark(std::string_view text) {
  bool begins = text.starts_with("0 ") || text.starts_with("1 ");
  auto space = text.find(' ', 2);
  if (!begins || space == text.npos) return {};
  Mark mark{std::string(text.substr(space + 1)), text[0] == '1'};
  if (!parse(text.substr(2, space - 2), mark.as_of_ms)) return {};
  return mark;
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

}  // namespace

std::string phase_text(Phase phase) {
  return std::string(phases[static_cast<std::size_t>(phase)]);
}

std::string mark_text(const Mark& mark) {
  return (mark.ended ? "1 " : "0 ") + std::to_string(mark.as_of_ms) + " " + mark.read_to;
}

std::string mark_place(const std::optional<Mark>& mark) {
  return mark ? (mark->ended ? "1 " : "0 ") + mark->read_to : "";
}

std::optional<Counts> counts_of(const Reply& reply) {
  auto hash = hash_of(reply);
  if (!hash) return {};
  Counts counts;
  for (const auto& [bucket, count] : *hash) {
    auto& [number, changes] = counts.emplace_back();
    if (!parse(bucket, number) || number >= bucket_count || !parse(count, changes)) return {};
  }
  return counts;
}

Result<Known> known_of(const Reply& reply) {
  if (!reply.is(Reply::Kind::list) || reply.list.size() != 3) return unexpected_answer();
  auto fields = hash_of(reply.list[0]), marks = hash_of(reply.list[1]);
  if (!fields || !marks) return unexpected_answer();
  Known known{.resetting = fields->contains("resetting")};
  if (!fields->contains("epoch")) return known;  // no index, or an unfinished reset
  if ((*fields)["format"] != format) {
    return unavailable(
        "Another version of Quire wrote the page index in Redis. Use that version, or run quire "
        "backfill --again.");
  }
  auto phase = parse_phase((*fields)["phase"]);
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

}  // namespace quire::redis
