// Changes ranked sets. First it inserts and erases the entries of all levels. Then it updates the
// counts, level by level from below: where the entries around changed ids stay the same, it adds
// the difference; where entries came or went, it recounts the stretch.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lmdb/numbers.h"
#include "lmdb/ranked_set.h"

namespace quire::lmdb {
namespace {

using Changes = std::span<const RankedChange>;
using Lifted = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t long_run = 1024;
constexpr std::size_t begun_run = 256;
constexpr std::size_t max_lifted = 1024;

class Application {
 public:
  Application(WriteTransaction& txn, const Ranked& sets, List list, Changes changes)
      : txn_(txn),
        dbi_(sets),
        counts_(sets.counts),
        list_(list),
        changes_(changes),
        cursor_(txn.get(), sets) {}

  void run() {
    int top = std::max(top_level(cursor_, list_), put_ids());
    put_entries();
    for (int level = 1; level <= top; ++level) settle(level);
  }

 private:
  // Writes level 0, and returns the highest level of the changed ids. Behind the last key of the
  // database LMDB can append, which also fills its pages.
  int put_ids() {
    int top = 0;
    Lifted lifted;
    std::string last(cursor_.move(MDB_LAST) ? cursor_.key() : std::string_view());
    for (const auto& [id, insert] : changes_) {
      RankedKey key(list_, 0, id);
      if (levels_.size() == begun_run && changes_.size() >= long_run) {
        lifted = lift(key);
        last = cursor_.move(MDB_LAST) ? cursor_.key() : std::string_view();
      }
      levels_.push_back(level_of(id));
      top = std::max(top, levels_.back());
      if (!insert) {
        txn_.remove(dbi_, key);
        continue;
      }
      cursor_.put(key, {}, std::string_view(key) > last ? MDB_APPEND : 0);
    }
    for (const auto& [key, value] : lifted) cursor_.put(key, value, key > last ? MDB_APPEND : 0);
    return top;
  }

  // LMDB splits a full page in the middle, unless the new key comes at its very end: then the page
  // stays full. So the entries behind a long run of new ids on the same page are removed while the
  // run is inserted, and put back after it; without that, lists that grow in batches take twice the
  // room. Keys of one page lie within a page size of each other in memory; if other keys do too,
  // removing them is only wasted work. `begun_run` ids are inserted before: LMDB would refill a
  // page that is nearly empty from the page behind it.
  Lifted lift(const RankedKey& next) {
    Lifted lifted;
    MDB_stat stat{};
    check("reading", mdb_stat(txn_.get(), dbi_, &stat));
    RankedKey last(list_, 0, changes_.back().id);
    while (lifted.size() < max_lifted && cursor_.seek(next, MDB_SET_RANGE)) {
      if (cursor_.key() <= std::string_view(last)) break;  // the run does not fit into one gap
      auto behind = reinterpret_cast<std::uintptr_t>(cursor_.key().data());
      std::pair<std::string, std::string> entry(cursor_.key(), cursor_.value());
      if (!cursor_.move(MDB_PREV)) break;
      auto before = reinterpret_cast<std::uintptr_t>(cursor_.key().data());
      if (std::max(behind, before) - std::min(behind, before) >= stat.ms_psize) break;
      txn_.remove(dbi_, entry.first);
      lifted.push_back(std::move(entry));
    }
    return lifted;
  }

  // Inserts and erases the entries of the upper levels. Counts follow.
  void put_entries() {
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      for (int level = 1; level <= levels_[i]; ++level) {
        RankedKey key(list_, level, changes_[i].id);
        if (changes_[i].insert) put(key, 0);
        if (!changes_[i].insert) txn_.remove(dbi_, key);
      }
    }
  }

  void put(std::string_view key, std::uint64_t count) {
    auto value = count_value(counts_, key, count);
    txn_.put(dbi_, key, {value.data(), value.size()});
  }

  void settle(int level) {
    RankedKey head(list_, level);
    RankedKey first(list_, level, Ulid{});
    if (!cursor_.seek(first, MDB_SET_RANGE) || !within(cursor_.key(), head)) {
      txn_.remove(dbi_, head);  // no entries: no level
      return;
    }
    if (!txn_.find(dbi_, head)) put(head, 0);
    for (std::size_t i = 0; i < changes_.size();) {
      const auto& [id, insert] = changes_[i];
      if (insert && levels_[i] >= level) recount(level, last_before(level, id));
      RankedKey from = last_before(level, id.next());
      std::string next = next_entry(from);
      std::int64_t grown = 0;
      bool moved = false;
      for (; i < changes_.size() && before(level, changes_[i].id, next); ++i) {
        grown += changes_[i].insert ? 1 : -1;
        moved = moved || levels_[i] >= level;
      }
      if (moved) {
        recount(level, from);
      } else {
        auto count = count_of(counts_, from, txn_.find(dbi_, from).value());
        put(from, count + static_cast<std::uint64_t>(grown));
      }
    }
  }

  // The entry or head that counts the ids just before `id`.
  RankedKey last_before(int level, const Ulid& id) {
    bool there = cursor_.seek(RankedKey(list_, level, id), MDB_SET_RANGE);
    if (!cursor_.move(there ? MDB_PREV : MDB_LAST)) throw std::logic_error("a level lost its head");
    RankedKey found(list_, level);
    found.take(cursor_.key(), level);
    return found;
  }

  // The key of the entry behind `at`; empty if `at` is the last entry of its level.
  std::string next_entry(const RankedKey& at) {
    bool there = cursor_.seek(at, MDB_SET_KEY) && cursor_.move(MDB_NEXT);
    return there && within(cursor_.key(), at) ? std::string(cursor_.key()) : std::string();
  }

  bool before(int level, const Ulid& id, const std::string& end) const {
    return end.empty() || std::string_view(RankedKey(list_, level, id)) < end;
  }

  // Sums the counts of the level below, from `from` up to the next entry.
  void recount(int level, RankedKey from) {
    RankedKey below = from;
    below.bytes[4] = static_cast<char>(level - 1);
    std::string end = next_entry(from);
    if (!end.empty()) end[4] = below.bytes[4];
    std::uint64_t sum = 0;
    bool there = cursor_.seek(below, MDB_SET_RANGE);
    for (; there && within(cursor_.key(), below) && (end.empty() || cursor_.key() < end);
         there = cursor_.move(MDB_NEXT)) {
      sum += level == 1 ? 1 : count_of(counts_, cursor_.key(), cursor_.value());
    }
    put(from, sum);
  }

  WriteTransaction& txn_;
  MDB_dbi dbi_;
  Counts counts_;
  List list_;
  Changes changes_;
  std::vector<int> levels_;  // of the changed ids
  Cursor cursor_;
};

}  // namespace

void apply(WriteTransaction& txn, const Ranked& sets, List list, Changes changes) {
  if (!changes.empty()) Application(txn, sets, list, changes).run();
}

}  // namespace quire::lmdb
