#include "bitmap_index/reading/kept_totals.h"

#include <algorithm>
#include <utility>

namespace quire::bitmap_index {
namespace {

constexpr std::size_t entry_overhead = 256;

std::size_t size_of(const Counted& counted) {
  return std::visit([](const auto& each) { return each.bytes(); }, counted);
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

  std::size_t bytes() const {
    auto counted = held ? size_of(held->counted) : 0;
    return entry_overhead + 2 * key.size() + counted;
  }
};

KeptTotals::KeptTotals(std::size_t bytes) : max_bytes_(bytes) {}
KeptTotals::~KeptTotals() = default;

std::size_t KeptTotals::Node::bytes() const {
  return log_bytes + (starts ? starts->size() * sizeof(Ulid) : 0);
}

// Only what was counted from this generation on can still catch up.
void KeptTotals::Node::forget(std::uint64_t generation) {
  log.clear();
  logged = log_bytes = 0;
  starts.reset();
  latest = same_blocks_from = generation;
}

std::uint64_t KeptTotals::Node::known_from() const {
  return log.empty() ? latest : log.front().before;
}

// Whether the product was in this generation, and all changes since are in the log.
bool KeptTotals::Node::knows(std::uint64_t generation) const {
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
  auto node = nodes_.find(product);
  if (node != nodes_.end()) {
    auto at = node->second.entries.find(key);
    if (at != node->second.entries.end()) {
      auto entry = at->second;
      used_.splice(used_.begin(), used_, entry);
      bool found = entry->held && catch_up(node->second, *entry, generation);
      ++(found ? statistics_.hits : statistics_.misses);
      return found ? Held::lend(entry->held) : nullptr;
    }
  }
  ++statistics_.misses;
  auto [at, added] = nodes_.try_emplace(product, Node{generation, generation});
  used_.push_front({product, subject, key, generation});
  at->second.entries.emplace(std::move(key), used_.begin());
  ++statistics_.entries;
  statistics_.bytes += used_.front().bytes();
  evict();
  return nullptr;
}

// Brings an entry to a generation of which all is known. False: that cannot be.
bool KeptTotals::catch_up(const Node& node, Entry& entry, std::uint64_t generation) {
  if (entry.generation == generation) return true;
  if (entry.generation > generation || !node.knows(generation)) return false;
  if (!node.knows(entry.generation)) return false;
  if (entry.held->readers.load(std::memory_order_acquire) > 0) {
    auto copy = std::make_shared<Held>();
    copy->counted = entry.held->counted;
    entry.held = std::move(copy);
  }
  auto size = entry.bytes();
  for (const auto& commit : node.log) {
    if (commit.before < entry.generation || commit.after > generation) continue;
    for (const auto& change : commit.changes) {
      if (apply(entry.held->counted, entry.subject, change)) continue;
      entry.held.reset();  // to be counted again
      resize(size, entry.bytes());
      return false;
    }
  }
  entry.generation = generation;
  resize(size, entry.bytes());
  return true;
}

void KeptTotals::keep(Product product, const Subject& subject, std::uint64_t generation,
                      Counted counted) {
  auto key = key_of(subject);
  std::lock_guard lock(mutex_);
  auto node = nodes_.find(product);
  if (node == nodes_.end()) return;
  auto at = node->second.entries.find(key);
  if (at == node->second.entries.end()) return;
  auto& entry = *at->second;
  if (generation < node->second.known_from()) return;
  if (entry.held && entry.generation >= generation && node->second.knows(entry.generation)) return;
  auto size = entry.bytes() + node->second.bytes();
  if (const auto* totals = std::get_if<Totals>(&counted)) {
    bool same = node->second.same_blocks_from <= generation && generation <= node->second.latest;
    if (same && !node->second.starts) node->second.starts = totals->starts();
  }
  entry.held = std::make_shared<Held>();
  entry.held->counted = std::move(counted);
  entry.generation = generation;
  resize(size, entry.bytes() + node->second.bytes());
  evict();
}

Starts KeptTotals::starts(Product product, std::uint64_t generation) {
  std::lock_guard lock(mutex_);
  auto at = nodes_.find(product);
  if (at == nodes_.end()) return nullptr;
  const auto& node = at->second;
  bool same = node.same_blocks_from <= generation && generation <= node.latest;
  return same ? node.starts : nullptr;
}

void KeptTotals::changed(const Databases& databases, Product product, std::uint64_t before,
                         std::uint64_t after, std::vector<IdChange> changes) {
  std::lock_guard lock(mutex_);
  auto at = nodes_.find(product);
  if (at == nodes_.end() || after <= at->second.latest) return;
  auto& node = at->second;
  auto size = node.bytes();
  bool moved = std::any_of(changes.begin(), changes.end(),
                           [&](const IdChange& change) { return moves_blocks(databases, change); });
  if (moved || changes.size() > max_changes) {
    node.forget(after);
  } else {
    if (before != node.latest) node.forget(before);  // commits that nobody told
    resize(std::exchange(size, node.bytes()), node.bytes());
    Commit commit{before, after, std::move(changes), 0};
    for (const auto& change : commit.changes) commit.bytes += size_of(change);
    node.log.push_back(std::move(commit));  // without memory, all stays as it is
    node.logged += 1 + node.log.back().changes.size();
    node.log_bytes += node.log.back().bytes;
    node.latest = after;
    for (; node.logged > max_changes; node.log.pop_front()) {
      node.logged -= 1 + node.log.front().changes.size();
      node.log_bytes -= node.log.front().bytes;
    }
  }
  resize(size, node.bytes());
  evict();
}

void KeptTotals::drop(Product product) {
  std::lock_guard lock(mutex_);
  auto at = nodes_.find(product);
  if (at == nodes_.end()) return;
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
  auto node = nodes_.find(entry->product);
  statistics_.bytes -= entry->bytes();
  --statistics_.entries;
  node->second.entries.erase(entry->key);
  used_.erase(entry);
  if (!node->second.entries.empty()) return;
  statistics_.bytes -= node->second.bytes();
  nodes_.erase(node);
}

void KeptTotals::evict() {
  while (statistics_.bytes > max_bytes_ && !used_.empty()) {
    erase(std::prev(used_.end()));
    ++statistics_.evictions;
  }
}

}  // namespace quire::bitmap_index
