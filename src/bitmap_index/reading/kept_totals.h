// Totals kept per filter: how many ids of each block match, so that the n-th match and the rank of
// an id are found without looking at the other blocks; and how many matches have each value of a
// facet. Bounded in bytes; the longest unused go.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "bitmap_index/databases.h"
#include "bitmap_index/edit.h"
#include "bitmap_index/reading/selection.h"
#include "bitmap_index/reading/totals.h"
#include "model/entry.h"
#include "model/schema.h"

namespace quire::bitmap_index {

// How many comments lie ahead of the positions at which pages begin and end: the pages read from
// there need not count again. Thread-safe. A number belongs to a generation of a product, so it is
// never stale. A later position takes the place of an earlier one.
class KeptRanks {
 public:
  // From where a product is read, in which order. The id need not be there.
  struct From {
    Ulid id{};
    Order order{};
    Product product{};
    std::uint64_t generation = 0;  // of the product, never 0
    friend bool operator==(const From&, const From&) = default;
  };

  struct Entry {
    From from{};
    std::uint64_t ahead = 0;
  };

  // How many ids of the product are read. Absent: it is not kept.
  std::optional<std::uint64_t> find(const From& from) const {
    std::lock_guard lock(mutex_);
    const auto& entry = entries_[place_of(from)];
    if (from.generation == 0 || entry.from != from) return {};
    return entry.ahead;
  }

  void keep(std::span<const Entry> entries) {
    std::lock_guard lock(mutex_);
    for (const auto& entry : entries) entries_[place_of(entry.from)] = entry;
  }

  void clear() {
    std::lock_guard lock(mutex_);
    entries_.fill({});
  }

 private:
  // The last bytes of an id are its chance.
  static std::size_t place_of(const From& from) {
    std::uint64_t end;
    std::memcpy(&end, from.id.bytes.data() + Ulid::size - sizeof end, sizeof end);
    end += static_cast<std::uint64_t>(from.order);
    return end * 0x9E3779B97F4A7C15 >> 52;  // Fibonacci hashing, to 12 bits
  }

  mutable std::mutex mutex_;
  std::array<Entry, 4096> entries_;  // guarded by mutex_
};

// What is kept: the totals of a selection, or its histogram or value counts of a facet.
struct Subject {
  enum class Of : char { totals, histogram, values, extremes };

  Selection selection;
  FacetNumber facet = no_facet;
  Of of = Of::totals;
};
using Counted = std::variant<Totals, Histogram, ValueCounts>;

// What a commit of the writer changed of one id. Absent: the id was or is not in the index.
struct IdChange {
  Ulid id;
  // Sorted by facet, then code; without their texts, which would not live as long.
  std::optional<std::vector<Value>> before, after;
};

// Thread-safe. An entry belongs to a product, a subject and a generation of the product: the number
// of changes that the product's index has seen. An entry answers only readers of its generation, so
// it is never stale. The writer tells what each commit changed. Entries catch up with that when
// they are asked for, so a commit costs the writer the same however many entries there are.
class KeptTotals {
 public:
  // Of a product so many changes are remembered. What was counted before them is counted again.
  static constexpr std::size_t max_changes = 1024;

  explicit KeptTotals(std::size_t bytes);
  ~KeptTotals();

  // Absent: it is not kept for this generation. The answer stays as it is.
  std::shared_ptr<const Counted> find(Product product, const Subject& subject,
                                      std::uint64_t generation);
  // What find() had nothing of, because the log of changes does not tell whether an id matches.
  struct Behind {
    std::shared_ptr<const Counted> counted;  // of an earlier generation
    std::vector<Ulid> changed;               // since then, at most max_changed_words
  };
  static constexpr std::size_t max_changed_words = 64;
  // Absent: nothing is kept, or more has changed. The blocks are the same.
  std::optional<Behind> behind(Product product, const Subject& subject, std::uint64_t generation);
  // How often find() had nothing since the last keep(), as far as that is remembered.
  std::uint64_t missed(Product product, const Subject& subject) const;
  // Keeps what a reader of that generation counted after find() had nothing.
  void keep(Product product, const Subject& subject, std::uint64_t generation, Counted counted);
  // The starts of the blocks, where some totals of this generation are kept. May be null.
  Starts starts(Product product, std::uint64_t generation);

  // The writer calls one of the two after each commit, in their order. `before` and `after`: the
  // generations of the product. Where nothing of the product was asked for, it costs nothing.
  void changed(const Databases& databases, Product product, std::uint64_t before,
               std::uint64_t after, std::vector<IdChange> changes);
  // Everything may have changed.
  void drop(Product product);
  void drop_all();

  struct Statistics {
    std::uint64_t bytes = 0, entries = 0, hits = 0, misses = 0, evictions = 0;
  };
  Statistics statistics() const;

  KeptRanks& ranks() { return ranks_; }

 private:
  struct Held;
  struct Entry;
  using Entries = std::list<Entry>;
  struct Commit {
    std::uint64_t before, after;
    std::vector<IdChange> changes;
    std::size_t bytes;
  };
  struct History {         // of a product that has entries
    std::uint64_t latest;  // generation
    // The blocks are the same from this generation on; `starts` may be null.
    std::uint64_t same_blocks_from;
    std::deque<Commit> log = {};
    std::size_t logged = 0, log_bytes = 0;  // commits and changes in the log
    Starts starts = {};
    Starts told = {};  // of the last totals of a generation that no writer told
    std::unordered_map<std::string, Entries::iterator> entries = {};

    std::size_t bytes() const;
    // The generation from which on all commits are in the log.
    std::uint64_t known_from() const;
    void forget(std::uint64_t generation);
    bool knows(std::uint64_t generation) const;
    // Lets totals of this generation share the starts of others. Returns the bytes of those that
    // they are the first to bring.
    std::size_t share(Totals& totals, std::uint64_t generation);
  };
  bool catch_up(const History& history, Entry& entry, std::uint64_t generation);
  static bool apply_all(const History& history, Entry& entry, std::uint64_t generation);
  void resize(std::size_t before, std::size_t after) { statistics_.bytes += after - before; }
  void erase(Entries::iterator entry);
  void evict();

  const std::size_t max_bytes_;
  mutable std::mutex mutex_;  // guards all below
  Entries used_;              // the last used first
  std::unordered_map<Product, History> histories_;
  Statistics statistics_;
  KeptRanks ranks_;
};

// Where the answers about one product, as one reader sees it, are kept.
struct Keeping {
  KeptTotals* totals = nullptr;  // null: nowhere
  std::uint64_t generation = 0;  // of the product
};

}  // namespace quire::bitmap_index
