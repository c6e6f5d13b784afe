#include "lmdb/tree_cursor.h"

#include <algorithm>
#include <utility>

#include "lmdb/numbers.h"
#include "lmdb/sealed.h"

namespace quire::lmdb {
namespace {

constexpr const char* foreign_keys = "has keys that do not belong there";
constexpr const char* other_kind = "has an entry of another kind";

std::uint16_t half(const char* at) {
  return load<std::uint16_t>(at);
}

}  // namespace

TreeCursor::TreeCursor(const State& state, const Tree& tree, TreeKind kind)
    : state_(&state), kind_(kind), root_(tree.root) {
  if (root_ == no_page) return;
  if (tree.depth == 0 || tree.depth > max_depth) state.damaged(root_, "has a depth that cannot be");
  depth_ = tree.depth;
  if (kind == TreeKind::values) value_size_ = tree.pad;
  if (depth_ == 1 && kind != TreeKind::several) entries_of_root_ = tree.entries;
  if (depth_ == 2) entries_of_root_ = tree.leaves;
  if (depth_ == 3) entries_of_root_ = tree.branches - 1;
}

TreeCursor::TreeCursor(const State& state, std::string_view page, PageNumber number)
    : state_(&state), kind_(TreeKind::values), depth_(1), root_(number), within_(page) {
  if (page.size() < page_head) state.damaged(number, other_kind);
  value_size_ = half(page.data() + 8);
}

TreeCursor& TreeCursor::operator=(const TreeCursor& other) {
  state_ = other.state_;
  kind_ = other.kind_;
  passes_ = other.passes_;
  passed_ = other.passed_;
  depth_ = other.depth_;
  top_ = other.top_;
  value_size_ = other.value_size_;
  root_ = other.root_;
  entries_of_root_ = other.entries_of_root_;
  key_ = other.key_;
  within_ = other.within_;
  std::copy_n(other.levels_.begin(), other.top_ + 1, levels_.begin());
  return *this;
}

void TreeCursor::enter_root() {
  if (!within_.empty()) return enter_values(at(0), within_.data(), within_.size());
  enter(0, root_);
  // A damaged list of databases may name another page of this kind.
  if (entries_of_root_ != 0 && entries_of_root_ != at(0).count && !passes_)
    broken(0, "has not as many entries as its tree counts");
}

// Makes a page that of a level.
void TreeCursor::enter(int level, PageNumber number) {
  const char* page = state_->pages(number);
  if (load<PageNumber>(page) != number) state_->damaged(number, "is not whole");
  if (is_leaf(level) && kind_ == TreeKind::values)
    return enter_values(at(level), page, state_->page_size());
  auto flags = half(page + 10), lower = half(page + 12), upper = half(page + 14);
  bool leaf = is_leaf(level);
  auto count = static_cast<std::uint16_t>((lower - page_head) / sizeof(std::uint16_t));
  if (flags != (leaf ? page_leaf : page_branch) || lower < page_head || lower > upper ||
      lower % 2 != 0 || upper > state_->page_size() || count < (leaf ? 1 : 2))
    state_->damaged(number, "is not whole");
  at(level) = {page, 0, count, upper};
}

// Bounds are kept as if each value had an offset of two bytes, and the rest behind.
void TreeCursor::enter_values(Level& level, const char* page, std::size_t bytes) {
  bool within = !within_.empty();
  auto pad = half(page + 8), flags = half(page + 10), lower = half(page + 12),
       upper = half(page + 14);
  std::uint16_t kind = page_leaf | page_fixed | (within ? page_within : 0);
  if (within) flags &= static_cast<std::uint16_t>(~page_dirty);  // LMDB forgets to clear it there
  std::size_t count = (lower - page_head) / sizeof(std::uint16_t), size = value_size_;
  if (flags != kind || pad != size || size < sizeof(std::uint16_t) || lower <= page_head ||
      lower % 2 != 0 || count * size > bytes - page_head ||
      upper + count * (size - sizeof(std::uint16_t)) != bytes)
    state_->damaged(within ? root_ : load<PageNumber>(page), "is not whole");
  level = {page, 0, static_cast<std::uint16_t>(count), upper};
}

void TreeCursor::broken(int level, const char* what) const {
  state_->damaged(within_.empty() ? load<PageNumber>(at(level).page) : root_, what);
}

inline const char* TreeCursor::node_at(int level, unsigned index) const {
  const Level& page = at(level);
  std::size_t offset = half(page.page + page_head + index * sizeof(std::uint16_t));
  if (offset < page.upper || offset + node_head > state_->page_size()) broken(level);
  const char* node = page.page + offset;
  if (offset + node_head + half(node + 6) > state_->page_size()) broken(level);
  return node;
}

inline std::string_view TreeCursor::key_at(int level, unsigned index) const {
  if (is_leaf(level) && kind_ == TreeKind::values)
    return {at(level).page + page_head + index * value_size_, value_size_};
  const char* node = node_at(level, index);
  return {node + node_head, half(node + 6)};
}

PageNumber TreeCursor::child(int level) const {
  const char* node = node_at(level, at(level).index);
  return half(node) | PageNumber{half(node + 2)} << 16 | PageNumber{half(node + 4)} << 32;
}

int TreeCursor::compare(std::string_view a, std::string_view b) const {
  if (kind_ != TreeKind::free || a.size() != sizeof(std::uint64_t) || b.size() != a.size())
    return order(a, b);
  auto left = load<std::uint64_t>(a.data()), right = load<std::uint64_t>(b.data());
  return left < right ? -1 : left > right;
}

std::string_view TreeCursor::low(int level) const {
  while (--level >= 0) {
    if (at(level).index > 0) return key_at(level, at(level).index);
  }
  return {};
}

std::string_view TreeCursor::high(int level) const {
  while (--level >= 0) {
    if (at(level).index + 1 < at(level).count) return key_at(level, at(level).index + 1u);
  }
  return {};
}

// The first key of a branch is not used.
void TreeCursor::check_bounds(int level) const {
  auto below = low(level), above = high(level);
  auto first = key_at(level, is_leaf(level) ? 0 : 1), last = key_at(level, at(level).count - 1u);
  if ((!below.empty() && compare(first, below) < 0) ||
      (!above.empty() && compare(last, above) >= 0))
    broken(level, foreign_keys);
}

void TreeCursor::check_key(int level, std::string_view key) const {
  auto below = low(level), above = high(level);
  if ((!below.empty() && compare(key, below) < 0) || (!above.empty() && compare(key, above) >= 0))
    broken(level, foreign_keys);
}

// One damaged key of a branch does not cost all pages below it.
void TreeCursor::check_either_end(int level) const {
  try {
    check_key(level, key_at(level, 1));
  } catch (const Damaged&) {
    check_key(level, key_at(level, at(level).count - 1u));
  }
}

// Enters pages below `level` as far as `to`, at their first or last entry. Returns the level that
// it reached: an upper one where a damaged page is passed over.
int TreeCursor::descend(int level, int to, int direction) {
  try {
    for (; level < to; ++level) {
      enter(level + 1, child(level));
      if (direction < 0) at(level + 1).index = static_cast<std::uint16_t>(at(level + 1).count - 1);
      if (!passes_) check_bounds(level + 1);
      if (passes_ && !is_leaf(level + 1)) check_either_end(level + 1);
    }
  } catch (const Damaged&) {
    if (!passes_) throw;
    ++passed_;
  }
  return level;
}

// Moves on from `level`, and down again to `to`.
bool TreeCursor::step(int level, int to, int direction) {
  int was = std::exchange(top_, -1), from = level;
  for (;;) {
    auto at_end = [&](const Level& page) {
      return direction > 0 ? page.index + 1 >= page.count : page.index == 0;
    };
    int up = level;
    while (up >= 0 && at_end(at(up))) --up;
    if (up < 0) {
      if (level == from) top_ = was;  // it stays where it is
      return false;
    }
    at(up).index = static_cast<std::uint16_t>(at(up).index + direction);
    level = descend(up, to, direction);
    if (level < to) continue;
    top_ = to;
    return true;
  }
}

bool TreeCursor::edge(int direction) {
  top_ = -1;
  if (depth_ == 0) return false;
  try {
    enter_root();
  } catch (const Damaged&) {
    if (!passes_) throw;
    ++passed_;
    return false;
  }
  if (direction < 0) at(0).index = static_cast<std::uint16_t>(at(0).count - 1);
  int leaf = depth_ - 1, level = descend(0, leaf, direction);
  if (level < leaf && !step(level, leaf, direction)) return false;
  top_ = leaf;
  return settle({}, direction);
}

bool TreeCursor::move(int direction) {
  if (!there()) return edge(direction);
  Level& leaf = at(top_);
  int index = leaf.index + direction;
  bool within = index >= 0 && index < leaf.count;
  if (!within) return step(top_, top_, direction) && settle(key_, direction);
  leaf.index = static_cast<std::uint16_t>(index);
  if (passes_) return settle(key_, direction);
  auto before = std::exchange(key_, {});
  auto key = key_at(top_, leaf.index);
  if (compare(before, key) * direction >= 0) {
    int level = std::exchange(top_, -1);
    broken(level, foreign_keys);
  }
  key_ = key;
  return true;
}

// Each entry is passed over for itself, so that a damaged key costs no other. Behind a key that is
// far too large, all others would be passed over.
void TreeCursor::check_turn(int leaf, std::string_view key, int direction) const {
  auto bound = direction > 0 ? high(leaf) : low(leaf);
  if (!bound.empty() && compare(key, bound) * direction >= (direction > 0 ? 0 : 1))
    broken(leaf, foreign_keys);
  auto index = [&](int steps) { return at(leaf).index + steps * direction; };
  auto there = [&](int steps) { return index(steps) >= 0 && index(steps) < at(leaf).count; };
  auto in_turn = [&](int steps, int later) {
    try {
      return compare(key_at(leaf, static_cast<unsigned>(index(steps))),
                     key_at(leaf, static_cast<unsigned>(index(later)))) *
                 direction <
             0;
    } catch (const Damaged&) {
      return true;
    }
  };
  // Not in turn are it and the next one: a third one tells which of both is damaged.
  if (there(1) && !in_turn(0, 1) && (there(2) ? !in_turn(0, 2) : there(-1) && in_turn(-1, 1)))
    broken(leaf, foreign_keys);
}

// Checks the entry where it is, which lies behind the key `before`.
bool TreeCursor::settle(std::string_view before, int direction) {
  for (int leaf = top_;;) {
    try {
      auto key = key_at(leaf, at(leaf).index);
      if (key.empty() || key.size() > max_key ||
          (!before.empty() && compare(before, key) * direction >= 0))
        broken(leaf, foreign_keys);
      if (passes_) check_turn(leaf, key, direction);
      key_ = key;
      return true;
    } catch (const Damaged&) {
      if (!passes_) {
        top_ = -1;
        throw;
      }
      ++passed_;
    }
    if (!step(leaf, leaf, direction)) {
      top_ = -1;
      return false;
    }
  }
}

void TreeCursor::go(std::string_view key) {
  if (is_empty()) return;
  descend(key);
  top_ = depth_ - 1;
}

// Enters the leaf where the key belongs. If it is there, it does not look at the pages above.
void TreeCursor::descend(std::string_view key) {
  int leaf = depth_ - 1;
  bool here = there() && order(key_at(leaf, 0), key) <= 0 &&
              order(key, key_at(leaf, at(leaf).count - 1u)) <= 0;
  top_ = -1;
  if (!here) enter_root();
  for (int level = 0; level < leaf && !here; ++level) {
    Level& branch = at(level);
    unsigned low = 1, high = branch.count;
    while (low < high) {
      unsigned middle = (low + high) / 2;
      if (order(key, key_at(level, middle)) < 0)
        high = middle;
      else
        low = middle + 1;
    }
    branch.index = static_cast<std::uint16_t>(low - 1);
    if (level > 0 && (low == 1 || low == branch.count)) check_bounds(level);
    enter(level + 1, child(level));
  }
}

bool TreeCursor::locate(std::string_view key) {
  if (is_empty()) return false;
  descend(key);
  int leaf = depth_ - 1;
  Level& page = at(leaf);
  unsigned low = 0, high = page.count;
  int difference = 1;
  while (low < high && difference != 0) {
    unsigned middle = (low + high) / 2;
    difference = order(key, key_at(leaf, middle));
    if (difference > 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool exact = low < page.count && difference == 0;
  page.index = static_cast<std::uint16_t>(exact ? high : low);
  if (!exact && leaf > 0 && (low == 0 || low == page.count)) check_missing(key);
  top_ = leaf;
  if (page.index < page.count) key_ = key_at(leaf, page.index);
  return exact;
}

// A key that is not on the leaf where it belongs, and would be the first or the last there: a
// damaged branch may have led to the wrong leaf.
void TreeCursor::check_missing(std::string_view key) const {
  int leaf = depth_ - 1;
  check_bounds(leaf);
  int direction = at(leaf).index == 0 ? -1 : 1;
  TreeCursor beside(*this);
  std::copy_n(levels_.begin(), depth_, beside.levels_.begin());
  if (beside.step(leaf, leaf, direction) &&
      compare(key, beside.key_at(leaf, beside.at(leaf).index)) * direction >= 0)
    broken(leaf, foreign_keys);
}

bool TreeCursor::find(std::string_view key) {
  if (locate(key)) return true;
  top_ = -1;
  return false;
}

bool TreeCursor::seek(std::string_view key) {
  if (is_empty()) return false;
  if (!passes_) {
    if (locate(key) || at(top_).index < at(top_).count) return true;
    at(top_).index = static_cast<std::uint16_t>(at(top_).count - 1);
    if (step(top_, top_, 1)) return settle({}, 1);
    top_ = -1;
    return false;
  }
  // A damaged key misleads a search: entry by entry, from the leaf if that does not lie behind.
  // What is passed on that way belongs to other keys.
  auto passed = passed_;
  bool there = false;
  try {
    descend(key);
    Level& leaf = at(depth_ - 1);
    leaf.index = 0;
    there = order(key_at(depth_ - 1, 0), key) <= 0;
    if (there) top_ = depth_ - 1;
  } catch (const Damaged&) {
  }
  there = there ? settle({}, 1) : edge(1);
  while (there && order(key_, key) < 0) there = next();
  passed_ = passed;
  return there;
}

}  // namespace quire::lmdb
