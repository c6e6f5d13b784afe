// Checks the pages that LMDB is about to read in a writing transaction. LMDB trusts every page:
// what it reads of a damaged page could end the program, and what it writes then could damage
// others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lmdb/state.h"
#include "lmdb/tree_cursor.h"

namespace quire::lmdb {

// Looks at the state before the transaction: pages that the transaction changed were checked before
// it did. A page is checked once; not again, when this process has written it. Of one environment,
// for whoever has LMDB's writer lock. All throw Damaged.
class Guard {
 public:
  Guard(const Map& map, const Names& names)
      : map_(map), state_(map, names), checked_(names.size()) {}

  // `before`: the number of the transaction before. Checks the list of databases, the first time
  // that of free pages, and that no tree leads to the free pages which LMDB takes next.
  void begin(std::uint64_t before);

  // Call one of these before each step of LMDB.
  // It reads or puts a key. Several values are under it: it reads or puts this value; empty: the
  // first.
  void at(MDB_dbi database, std::string_view key, std::string_view value = {}) {
    check(database, key, value, false);
  }
  // It goes on to the entry before or behind, or removes an entry and merges its page with those
  // beside it.
  void around(MDB_dbi database, std::string_view key, std::string_view value = {}) {
    check(database, key, value, true);
  }
  void first(MDB_dbi database) { check_end(database, 1); }
  void last(MDB_dbi database) { check_end(database, -1); }
  // It removes a key with all its values, or all keys of a database.
  void all(MDB_dbi database, std::string_view key);
  void all(MDB_dbi database);

 private:
  static constexpr MDB_dbi no_database = ~MDB_dbi{0};
  static constexpr std::uint64_t no_record = ~std::uint64_t{0};
  // LMDB may take so many free pages before the next ones are checked; half as many at once.
  static constexpr std::uint64_t free_pages_ahead = 16'384;

  // The last leaf that was checked, for this key; of several values, one of those under it.
  struct Leaf {
    std::string key;
    std::string_view low, high;
    bool around;

    bool has(std::string_view at) const { return low <= at && (high.empty() || at < high); }
  };

  void check(MDB_dbi database, std::string_view key, std::string_view value, bool around);
  Leaf check_leaf_of(const Tree& tree, std::string_view key, std::string_view value, bool around,
                     bool same_key);
  void check_end(MDB_dbi database, int direction);
  void check_end_of(const TreeCursor& cursor, int direction);
  void check_ends_beside(const Tree& tree, std::string_view key);
  void check_beside(const TreeCursor& cursor);
  void check_way(const TreeCursor& cursor);
  void check_all(TreeCursor cursor);
  void check_free_pages();
  void check_ends();
  bool is_in_use(PageNumber number, MDB_dbi but_for);
  void check_page(const char* page, const TreeCursor& of);
  void check_leaf(const std::vector<Node>& nodes, PageNumber page, TreeKind kind) const;

  const Map& map_;
  State state_;
  std::vector<std::optional<Leaf>> checked_;  // by database, in this transaction
  // Of the records of free pages, which are numbered: how far their pages were checked, and the one
  // from which on to check further.
  std::uint64_t free_checked_ = 0, check_free_from_ = 0;
  PageNumber trusted_ = 0;  // from here on all pages were written since this process began to write
  std::vector<bool> known_;  // of the pages before: whether they were checked
};

}  // namespace quire::lmdb
