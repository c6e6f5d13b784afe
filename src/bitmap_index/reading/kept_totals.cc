#include "bitmap_index/reading/kept_totals.h"

#include <algorithm>
#include <new>
#include <utility>

namespace quire::bitmap_index {
namespace {

constexpr std::size_t entry_overhead = 256;

std::size_t size_of(const Counted& counted) {
  return std::visit([](const auto& each) { return each.bytes(); }, counted);
}

std::size_t values_of(const Counted& counted) {
  const auto* histogram = std::get_if<Histogram>(&counted);
  const auto* values = std::get_if<ValueCounts>(&counted);
  return histogram ? histogram->values.size() : values ? values->values.size() : 0;
}

std::size_t size_of(const IdChange& change) {
  std::size_t values = 0;
  for (const auto* side : {&change.before, &change.after}) values += *side ? (*side)->size() : 0;
  return sizeof change + values * sizeof(Value);
}

std::string key_of(const Subject& subject) {
  return bytes_of(subject.selection) + static_cast<char>(subject.facet >> 8) +
         static_cast<char>(subject.facet) + static_cast<char>(subject.of);
}

// Each returns false where the change cannot be followed.
bool apply(Totals& totals, const Subject&, const IdChange& change, bool was, bool is) {
  if (was != is) totals.add(change.id, is);
  return true;
}

bool apply(Histogram& histogram, const Subject& subject, const IdChange& change, bool was,
           bool is) {
  auto add = [&](const std::vector<Value>& values, bool matches) {
    std::vector<Code> codes;
    for (const auto& value : values) {
      if (value.facet == subject.facet) codes.push_back(value.code);
    }
    histogram.add(codes, matches);
  };
  if (was) add(*change.before, false);
  if (is) add(*change.after, true);
  return true;
}

bool apply(ValueCounts& counts, const Subject& subject, const IdChange& change, bool was, bool is) {
  auto of_facet = [&](const std::optional<std::vector<Value>>& values, bool matches) {
    if (!matches) return std::span<const Value>();
    auto in_order = [](const Value& a, const Value& b) { return a.facet < b.facet; };
    auto [begin, end] =
        std::equal_range(values->begin(), values->end(), Value{subject.facet, 0}, in_order);
    return std::span<const Value>(begin, end);
  };
  auto before = of_facet(change.before, was), after = of_facet(change.after, is);
  if (was == is && std::equal(before.begin(), before.end(), after.begin(), after.end()))
    return true;
  return (!was || counts.add(before, false)) && (!is || counts.add(after, true));
}

bool apply(Counted& counted, const Subject& subject, const IdChange& change) {
  bool was = change.before && matches(subject.selection, *change.before);
  bool is = change.after && matches(subject.selection, *change.after);
  return std::visit([&](auto& each) { return apply(each, subject, change, was, is); }, counted);
}

// Whether a block starts or ends with the change.
bool moves_blocks(const Databases& databases, const IdChange& change) {
  return change.before.has_value() != change.after.has_value() &&
         level_of(databases, change.id) > 0;
}

}  // namespace

// What is lent to readers. It changes only while it is lent to none.
struct KeptTotals::Held {
  Counted counted;
  std::atomic<int> readers = 0;

  static std::shared_ptr<const Counted> lend(const std::shared_ptr<Held>& held) {
    held->readers.fetch_add(1, std::memory_order_relaxed);  // under the mutex
    auto give_back = [held](const Counted*) {
      held->readers.fetch_sub(1, std::memory_order_release);
    };
    return {&held->counted, give_back};
  }
};

struct KeptTotals::Entry {
  Product product;
  Subject subject;
  std::string key;
  std::uint64_t generation;
  std::shared_ptr<Held> held = {};  // null: asked for, and not counted yet
  std::uint64_t missed = 1;
  std::size_t starts = 0;  // bytes of those that no other entry had before

  std::size_t bytes() const {
    auto counted = held ? size_of(held->counted) + starts : 0;
    return entry_overhead + 2 * key.size() + counted;
  }
};

KeptTotals::KeptTotals(std::size_t bytes) : max_bytes_(bytes) {}
KeptTotals::~KeptTotals() = default;

std::size_t KeptTotals::History::bytes() const {
  return log_bytes + (starts ? starts->size() * sizeof(Ulid) : 0);
}

// Only what was counted from this generation on can still catch up.
void KeptTotals::History::forget(std::uint64_t generation) {
  log.clear();
  logged = log_bytes = 0;
  starts.reset();
  latest = same_blocks_from = generation;
}

std::uint64_t KeptTotals::History::known_from() const {
  return log.empty() ? latest : log.front().before;
}

// Whether the product was in this generation, and all changes since are in the log.
bool KeptTotals::History::knows(std::uint64_t generation) const {
  if (generation == latest) return true;
  auto at = std::lower_bound(
      log.begin(), log.end(), generation,
      [](const Commit& commit, std::uint64_t number) { return commit.before < number; });
  return at != log.end() && at->before == generation;
}

std::shared_ptr<const Counted> KeptTotals::find(Product product, const Subject& subject,
                                                std::uint64_t generation) {
  auto key = key_of(subject);
  std::lock_guard lock(mutex_);
  auto history = histories_.find(product);
  if (history != histories_.end()) {
    auto at = history->second.entries.find(key);
    if (at != history->second.entries.end()) {
      auto entry = at->second;
      used_.splice(used_.begin(), used_, entry);
      bool found = entry->held && catch_up(history->second, *entry, generation);
      ++(found ? statistics_.hits : statistics_.misses);
      if (!found) ++entry->missed;
      return found ? Held::lend(entry->held) : nullptr;
    }
  }
  ++statistics_.misses;
  auto [at, added] = histories_.try_emplace(product, History{generation, generation});
  used_.push_front({product, subject, key, generation});
  at->second.entries.emplace(std::move(key), used_.begin());
  ++statistics_.entries;
  statistics_.bytes += used_.front().bytes();
  evict();
  return nullptr;
}

std::optional<KeptTotals::Behind> KeptTotals::behind(Product product, const Subject& subject,
                                                     std::uint64_t generation) {
  std::lock_guard lock(mutex_);
  auto at = histories_.find(product);
  if (at == histories_.end()) return {};
  const auto& history = at->second;
  auto found = history.entries.find(key_of(subject));
  if (found == history.entries.end()) return {};
  const auto& entry = *found->second;
  bool follows = entry.held && entry.generation < generation && history.knows(generation) &&
                 history.knows(entry.generation);
  if (!follows) return {};
  Behind behind;
  for (const auto& commit : history.log) {
    if (commit.before < entry.generation || commit.after > generation) continue;
    if (behind.changed.size() + commit.changes.size() > max_changed_words) return {};
    for (const auto& change : commit.changes) behind.changed.push_back(change.id);
  }
  behind.counted = Held::lend(entry.held);
  return behind;
}

std::uint64_t KeptTotals::missed(Product product, const Subject& subject) const {
  std::lock_guard lock(mutex_);
  auto history = histories_.find(product);
  if (history == histories_.end()) return 0;
  auto at = history->second.entries.find(key_of(subject));
  return at == history->second.entries.end() ? 0 : at->second->missed;
}

// Brings an entry to a generation of which all is known. False: that cannot be.
bool KeptTotals::catch_up(const History& history, Entry& entry, std::uint64_t generation) {
  if (entry.generation == generation) return true;
  if (!entry.subject.selection.words.empty()) return false;  // see behind()
  if (entry.generation > generation || !history.knows(generation)) return false;
  if (!history.knows(entry.generation)) return false;
  if (entry.held->readers.load(std::memory_order_acquire) > 0) {
    auto copy = std::make_shared<Held>();
    copy->counted = entry.held->counted;
    entry.held = std::move(copy);
  }
  auto size = entry.bytes();
  bool applied = false;
  try {
    applied = apply_all(history, entry, generation);
  } catch (const std::bad_alloc&) {  // a part of a change may be in it
  }
  if (applied)
    entry.generation = generation;
  else
    entry.held.reset();  // to be counted again
  resize(size, entry.bytes());
  return applied;
}

// Each change may move half of the values. Others wait for it, and counting anew takes turns.
bool KeptTotals::apply_all(const History& history, Entry& entry, std::uint64_t generation) {
  constexpr std::size_t max_moves = 4'000'000;
  std::size_t changes = 0;
  auto pending = [&](const Commit& commit) {
    return commit.before >= entry.generation && commit.after <= generation;
  };
  for (const auto& commit : history.log)
    if (pending(commit)) changes += commit.changes.size();
  auto& counted = entry.held->counted;
  if (changes * values_of(counted) > max_moves) return false;
  for (const auto& commit : history.log) {
    if (!pending(commit)) continue;
    for (const auto& change : commit.changes)
      if (!apply(counted, entry.subject, change)) return false;
  }
  return true;
}

std::size_t KeptTotals::History::share(Totals& totals, std::uint64_t generation) {
  if (!totals.starts()) return 0;
  bool same = same_blocks_from <= generation && generation <= latest;
  if (same && !starts) starts = totals.starts();
  for (const auto& others : {starts, told}) {
    if (!others || *others != *totals.starts()) continue;
    totals.share(others);
    return 0;
  }
  told = totals.starts();
  return told->size() * sizeof(Ulid);
}

void KeptTotals::keep(Product product, const Subject& subject, std::uint64_t generation,
                      Counted counted) {
  auto key = key_of(subject);
  std::lock_guard lock(mutex_);
  auto history = histories_.find(product);
  if (history == histories_.end()) return;
  auto at = history->second.entries.find(key);
  if (at == history->second.entries.end()) return;
  auto& entry = *at->second;
  entry.missed = 0;
  if (generation < history->second.known_from()) return;
  if (entry.held && entry.generation >= generation && history->second.knows(entry.generation))
    return;
  auto size = entry.bytes() + history->second.bytes();
  auto* totals = std::get_if<Totals>(&counted);
  entry.starts = totals ? history->second.share(*totals, generation) : 0;
  entry.held = std::make_shared<Held>();
  entry.held->counted = std::move(counted);
  entry.generation = generation;
  resize(size, entry.bytes() + history->second.bytes());
  evict();
}

Starts KeptTotals::starts(Product product, std::uint64_t generation) {
  std::lock_guard lock(mutex_);
  auto at = histories_.find(product);
  if (at == histories_.end()) return nullptr;
  const auto& history = at->second;
  bool same = history.same_blocks_from <= generation && generation <= history.latest;
  return same ? history.starts : nullptr;
}

void KeptTotals::changed(const Databases& databases, Product product, std::uint64_t before,
                         std::uint64_t after, std::vector<IdChange> changes) {
  std::lock_guard lock(mutex_);
  auto at = histories_.find(product);
  if (at == histories_.end() || after <= at->second.latest) return;
  auto& history = at->second;
  auto size = history.bytes();
  bool moved = std::any_of(changes.begin(), changes.end(),
                           [&](const IdChange& change) { return moves_blocks(databases, change); });
  if (moved || changes.size() > max_changes) {
    history.forget(after);
  } else {
    if (before != history.latest) history.forget(before);  // commits that nobody told
    resize(std::exchange(size, history.bytes()), history.bytes());
    Commit commit{before, after, std::move(changes), 0};
    for (const auto& change : commit.changes) commit.bytes += size_of(change);
    history.log.push_back(std::move(commit));  // without memory, all stays as it is
    history.logged += 1 + history.log.back().changes.size();
    history.log_bytes += history.log.back().bytes;
    history.latest = after;
    for (; history.logged > max_changes; history.log.pop_front()) {
      history.logged -= 1 + history.log.front().changes.size();
      history.log_bytes -= history.log.front().bytes;
    }
  }
  resize(size, history.bytes());
  evict();
}

void KeptTotals::drop(Product product) {
  std::lock_guard lock(mutex_);
  auto at = histories_.find(product);
  if (at == histories_.end()) return;
  std::vector<Entries::iterator> all;
  for (const auto& [key, entry] : at->second.entries) all.push_back(entry);
  for (auto entry : all) erase(entry);
}

void KeptTotals::drop_all() {
  std::lock_guard lock(mutex_);
  while (!used_.empty()) erase(used_.begin());
  ranks_.clear();
}

KeptTotals::Statistics KeptTotals::statistics() const {
  std::lock_guard lock(mutex_);
  return statistics_;
}

// With its last entry a product is forgotten.
void KeptTotals::erase(Entries::iterator entry) {
  auto history = histories_.find(entry->product);
  statistics_.bytes -= entry->bytes();
  --statistics_.entries;
  history->second.entries.erase(entry->key);
  used_.erase(entry);
  if (!history->second.entries.empty()) return;
  statistics_.bytes -= history->second.bytes();
  histories_.erase(history);
}

void KeptTotals::evict() {
  while (statistics_.bytes > max_bytes_ && !used_.empty()) {
    erase(std::prev(used_.end()));
    ++statistics_.evictions;
  }
}

}  // namespace quire::bitmap_index
