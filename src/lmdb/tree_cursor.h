// Moves over the entries of a tree in LMDB's memory map. LMDB's own cursors trust every page: here
// each page and each entry is checked before it is followed, so a damaged page is an exception and
// never a fault, and no damage makes a walk endless.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "lmdb/data_file.h"
#include "lmdb/state.h"

namespace quire::lmdb {

// Throws Damaged where a page that it needs is not whole, or has keys that do not belong there;
// then it is nowhere.
class TreeCursor {
 public:
  // Of no tree.
  TreeCursor() {}  // leaves levels_ as they are
  // The state must outlive it.
  TreeCursor(const State& state, const Tree& tree, TreeKind kind);
  // Over the values in a page that lies within an entry of page `number`.
  TreeCursor(const State& state, std::string_view page, PageNumber number);
  TreeCursor(const TreeCursor& other) { *this = other; }
  TreeCursor& operator=(const TreeCursor& other);

  // From now on damaged pages and entries are passed over, as far as next() meets them.
  void pass_damage() { passes_ = true; }
  bool passes_damage() const { return passes_; }
  std::uint64_t passed() const { return passed_; }  // pages, with all that is in them, and entries
  TreeKind kind() const { return kind_; }
  bool is_empty() const { return depth_ == 0; }
  bool is_in_pages() const { return depth_ > 0 && within_.empty(); }  // not within an entry

  // To the leaf where the key belongs, and to none of its entries.
  void go(std::string_view key);
  // To the leaf where the key belongs, and there to the first key at or behind it, or behind the
  // last. Whether it is the key.
  bool locate(std::string_view key);
  bool find(std::string_view key);  // to this key
  bool seek(std::string_view key);  // to the first key at or behind it
  bool first() { return edge(1); }
  bool last() { return edge(-1); }
  bool next() { return move(1); }       // from nowhere: to the first
  bool previous() { return move(-1); }  // from nowhere: to the last
  bool there() const { return top_ >= 0; }

  // Where it is.
  std::string_view key() const { return key_; }
  Node node() const;               // of a leaf
  std::string_view value() const;  // in whatever pages it lies
  // A cursor over the values of a key that has several. For a key with one value it is of no tree.
  TreeCursor values() const;
  // All values on the page. The cursor goes to the last of them.
  std::string_view page_of_values();
  std::size_t value_size() const { return value_size_; }

  // The pages on the way to where it is: level 0 is the root.
  int depth() const { return top_ + 1; }
  const char* page(int level) const { return at(level).page; }
  // All keys of the leaf are from low() to below high(); empty: no bound.
  std::string_view low() const { return low(top_); }
  std::string_view high() const { return high(top_); }
  // Throws Damaged unless all keys of a page on the way belong there.
  void check_bounds(int level) const;
  // Moves to the next page of a level, forward or back. It is not at an entry then.
  bool step(int level, int direction) { return step(level - 1, level, direction); }

 private:
  static constexpr int max_depth = 32;  // the limit of LMDB
  struct Level {
    const char* page;
    std::uint16_t index, count, upper;
  };

  Level& at(int level) { return levels_[static_cast<std::size_t>(level)]; }
  const Level& at(int level) const { return levels_[static_cast<std::size_t>(level)]; }
  bool is_leaf(int level) const { return level + 1 == depth_; }
  void enter_root();
  void enter(int level, PageNumber number);
  void enter_values(Level& level, const char* page, std::size_t bytes);
  void descend(std::string_view key);
  int descend(int level, int to, int direction);
  bool step(int level, int to, int direction);
  bool edge(int direction);
  bool move(int direction);
  bool settle(std::string_view before, int direction);
  void check_missing(std::string_view key) const;
  void check_key(int level, std::string_view key) const;
  void check_turn(int leaf, std::string_view key, int direction) const;
  void check_either_end(int level) const;
  std::string_view low(int level) const;
  std::string_view high(int level) const;
  [[gnu::always_inline]] const char* node_at(int level, unsigned index) const;
  [[gnu::always_inline]] std::string_view key_at(int level, unsigned index) const;
  PageNumber child(int level) const;
  int compare(std::string_view a, std::string_view b) const;
  [[noreturn, gnu::cold]] void broken(int level, const char* what = "is not whole") const;

  const State* state_ = nullptr;
  TreeKind kind_ = TreeKind::data;
  bool passes_ = false;
  std::uint64_t passed_ = 0;
  int depth_ = 0;  // of the tree; 0: it is empty
  int top_ = -1;   // the level where it is: of a leaf, but while step() is used; -1: nowhere
  std::size_t value_size_ = 0;
  PageNumber root_ = no_page;
  std::uint64_t entries_of_root_ = 0;  // 0: the tree's counts do not tell
  std::string_view key_;               // of the entry where it is
  std::string_view within_;  // the page of values, if it lies within an entry of page root_
  std::array<Level, max_depth> levels_;
};

}  // namespace quire::lmdb
