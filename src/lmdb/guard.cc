#include "lmdb/guard.h"

#include <algorithm>
#include <utility>

#include "lmdb/numbers.h"
#include "lmdb/sealed.h"

namespace quire::lmdb {
namespace {

TreeKind kind_of(const Tree& tree) {
  return tree.flags & tree_several ? TreeKind::several : TreeKind::data;
}

void check_values_within(std::string_view value, PageNumber page) {
  if (value.size() < page_head) throw Damaged("an entry is not whole");
  values_of(value, load<std::uint16_t>(&value[8]), page, true);
}

// LMDB merges a page with another if it is less full, and with no further one then.
bool is_quarter_full(const char* page, std::size_t size) {
  std::size_t room = load<std::uint16_t>(page + 14) - load<std::uint16_t>(page + 12);
  return 4 * (size - page_head - room) >= size - page_head;
}

bool leads_to(TreeCursor way, std::string_view key, PageNumber number) try {
  way.go(key);
  for (int level = 0; level < way.depth(); ++level) {
    if (load<PageNumber>(way.page(level)) == number) return true;
  }
  return false;
} catch (const Damaged&) {
  return false;  // the way of another key; its own steps refuse it
}

}  // namespace

void Guard::begin(std::uint64_t before) {
  if (!state_.take(before)) throw Damaged("its first pages name a state that is not its last");
  std::fill(checked_.begin(), checked_.end(), std::nullopt);
  const Meta& meta = state_.meta();
  if (meta.main.root == no_page) return;  // a new file, or it has no databases yet
  if (trusted_ == 0) {
    check_free_list(DataFile(map_.file()), meta);
    known_.resize(meta.last_page + 1);
    trusted_ = meta.last_page + 1;
  }
  check_all({state_, meta.main, TreeKind::main});
  if (check_free_from_ == 0) check_ends();
  if (check_free_from_ != no_record) check_free_pages();
}

// A page of another tree may fit where a root or a pointer should lead to the first or last page,
// also later, when a page that does not fit there was freed and written anew. So a damaged end
// refuses all writes.
void Guard::check_ends() {
  for (MDB_dbi database = list_of_databases + 1; database < checked_.size(); ++database) {
    const Tree& tree = state_.tree(database);
    for (int direction : {-1, 1}) {
      TreeCursor cursor(state_, tree, kind_of(tree));
      if (!(direction > 0 ? cursor.last() : cursor.first())) continue;
      auto page = load<PageNumber>(cursor.page(cursor.depth() - 1));
      if (is_in_use(page, database)) state_.damaged(page, "is in use twice");
    }
  }
}

// LMDB takes the pages of the oldest record first. All records behind those of the state in which
// this process began to write are its own.
void Guard::check_free_pages() {
  TreeCursor records(state_, state_.meta().free, TreeKind::free);
  auto half = std::max<std::uint64_t>(check_free_from_, 1), last = free_checked_;
  std::uint64_t pages = 0;
  bool there = records.first();
  if (there && load<std::uint64_t>(records.key().data()) < check_free_from_) return;
  for (; there && pages < free_pages_ahead; there = records.next()) {
    auto record = records.value();
    auto number = load<std::uint64_t>(records.key().data());
    auto count = load<std::uint64_t>(record.data());
    if (count >= record.size() / sizeof(PageNumber))
      throw Damaged("the list of free pages is damaged");
    for (std::uint64_t i = 1; number > free_checked_ && i <= count; ++i) {
      auto page = load<PageNumber>(record.data() + i * sizeof(PageNumber));
      if (is_in_use(page, no_database)) state_.damaged(page, "is in use, and listed as free");
    }
    pages += count;
    last = std::max(last, number);
    if (pages <= free_pages_ahead / 2) half = number + 1;
  }
  free_checked_ = last;
  check_free_from_ = there ? half : no_record;
}

// Whether a tree, but for that of a database, leads to a page by a key of that page. Of pages
// without keys, as those of long values, that is not known.
bool Guard::is_in_use(PageNumber number, MDB_dbi but_for) try {
  const char* page = map_.find(number, 1);
  if (!page) return false;
  auto nodes = nodes_of({page, state_.page_size()}, number);
  if (nodes.empty()) return false;
  auto key = nodes.back().key;
  for (MDB_dbi database = 0; database < checked_.size(); ++database) {
    const Tree& tree = state_.tree(database);
    auto kind = database == list_of_free_pages  ? TreeKind::free
                : database == list_of_databases ? TreeKind::main
                                                : kind_of(tree);
    if (database != but_for && leads_to({state_, tree, kind}, key, number)) return true;
  }
  return false;
} catch (const Damaged&) {
  return false;  // it has no keys
}

// What a key needs is a function of the state before: the same key again needs nothing more, and
// another value under it only the way to that value. Any other key on the leaf has no pages of its
// own, unless the tree has long values.
void Guard::check(MDB_dbi database, std::string_view key, std::string_view value, bool around) {
  const Tree& tree = state_.tree(database);
  if (tree.root == no_page) return;
  bool several = kind_of(tree) == TreeKind::several;
  auto& known = checked_[database];
  if (known && around && !known->around) known.reset();
  bool same_key = known && known->key == key;
  bool checked = several    ? same_key && known->has(value)
                 : same_key ? true
                            : known && tree.overflows == 0 && known->has(key);
  if (checked) return;
  known.reset();  // also where the check throws
  known = check_leaf_of(tree, key, value, around, same_key);
}

// `same_key`: all was checked but the way to the value.
Guard::Leaf Guard::check_leaf_of(const Tree& tree, std::string_view key, std::string_view value,
                                 bool around, bool same_key) {
  bool several = kind_of(tree) == TreeKind::several;
  TreeCursor cursor(state_, tree, kind_of(tree));
  bool there = false;
  if (several || tree.overflows > 0)
    there = cursor.locate(key);
  else
    cursor.go(key);
  if (!same_key) check_way(cursor);
  if (!same_key && around) check_beside(cursor);
  if (!same_key && around && several) check_ends_beside(tree, key);
  Leaf leaf{std::string(key), {}, {}, around};
  if (!several) {
    if (there) cursor.value();
    leaf.low = cursor.low();
    leaf.high = cursor.high();
  } else if (auto values = there ? cursor.values() : TreeCursor(); values.is_in_pages()) {
    values.locate(value.empty() ? std::string_view("\0", 1) : value);
    check_way(values);
    if (around) check_beside(values);
    leaf.low = values.low();
    leaf.high = values.high();
  }
  return leaf;
}

// Checks the pages of each level that are beside the way. On the lowest level a page that is less
// than a quarter full may be merged, and brings the next one beside. A branch is merged with a
// further one only after the leaves of the one beside it: then their ways are checked here.
void Guard::check_beside(const TreeCursor& cursor) {
  int leaf = cursor.depth() - 1;
  for (int direction : {-1, 1}) {
    for (int level = 1; level <= leaf; ++level) {
      TreeCursor beside(cursor);
      while (beside.step(level, direction)) {
        check_way(beside);
        if (level < leaf || is_quarter_full(beside.page(level), state_.page_size())) break;
      }
    }
  }
}

// LMDB goes on to the first value of the next key, or to the last one of the previous.
void Guard::check_ends_beside(const Tree& tree, std::string_view key) {
  for (int direction : {-1, 1}) {
    TreeCursor cursor(state_, tree, TreeKind::several);
    bool there = cursor.seek(key);
    if (direction < 0) there = there ? cursor.previous() : cursor.last();
    if (direction > 0 && there && cursor.key() == key) there = cursor.next();
    if (there) check_end_of(cursor, direction);
  }
}

void Guard::check_end_of(const TreeCursor& cursor, int direction) {
  auto values = cursor.values();
  if (values.is_in_pages() && (direction > 0 ? values.first() : values.last())) check_way(values);
}

void Guard::check_end(MDB_dbi database, int direction) {
  const Tree& tree = state_.tree(database);
  TreeCursor cursor(state_, tree, kind_of(tree));
  if (!(direction > 0 ? cursor.first() : cursor.last())) return;
  check_way(cursor);
  check_beside(cursor);
  if (kind_of(tree) == TreeKind::several) check_end_of(cursor, direction);
}

void Guard::all(MDB_dbi database, std::string_view key) {
  around(database, key);
  const Tree& tree = state_.tree(database);
  if (kind_of(tree) != TreeKind::several) return;
  TreeCursor cursor(state_, tree, TreeKind::several);
  if (cursor.find(key)) check_all(cursor.values());
}

void Guard::all(MDB_dbi database) {
  const Tree& tree = state_.tree(database);
  check_all({state_, tree, kind_of(tree)});
}

void Guard::check_all(TreeCursor cursor) {
  const char* page = nullptr;
  for (bool there = cursor.first(); there; there = cursor.next()) {
    if (page != cursor.page(cursor.depth() - 1)) check_way(cursor);
    page = cursor.page(cursor.depth() - 1);
    if (cursor.kind() == TreeKind::several) check_all(cursor.values());
    if (cursor.kind() == TreeKind::data) cursor.value();
  }
}

void Guard::check_way(const TreeCursor& cursor) {
  if (!cursor.is_in_pages()) return;
  for (int level = 0; level < cursor.depth(); ++level) {
    check_page(cursor.page(level), cursor);
    cursor.check_bounds(level);
  }
}

void Guard::check_page(const char* page, const TreeCursor& of) {
  auto number = load<PageNumber>(page);
  if (number >= trusted_ || known_[number]) return;
  std::string_view bytes(page, state_.page_size());
  try {
    auto flags = load<std::uint16_t>(page + 10);
    if (flags & page_fixed) {
      values_of(bytes, of.value_size(), number, false);
    } else {
      auto nodes = nodes_of(bytes, number);
      if (flags & page_leaf) check_leaf(nodes, number, of.kind());
      for (std::size_t i = 2; flags & page_branch && i < nodes.size(); ++i) {
        if (order(nodes[i - 1].key, nodes[i].key) >= 0) throw Damaged("its keys are not in order");
      }
    }
  } catch (const Damaged&) {
    state_.damaged(number, "is not whole");
  }
  known_[number] = true;
}

void Guard::check_leaf(const std::vector<Node>& nodes, PageNumber page, TreeKind kind) const {
  std::string_view before;
  for (const Node& node : nodes) {
    if (node.key.empty() || node.key.size() > max_key || (!before.empty() && before >= node.key))
      throw Damaged("its keys are not in order");
    before = node.key;
    bool tree = kind == TreeKind::main || node.flags & node_tree;
    bool right = kind == TreeKind::main ? node.flags == node_tree
                 : kind == TreeKind::several
                     ? (node.flags & ~node_tree) == node_several || !node.flags
                     : (node.flags & ~node_overflow) == 0;
    if (!right || (tree && node.value.size() != tree_size))
      throw Damaged("an entry is not of its kind");
    if (node.flags & node_overflow)
      state_.pages(node.child, pages_for(node.size, state_.page_size()));
    if (kind == TreeKind::several && node.flags == node_several)
      check_values_within(node.value, page);
  }
}

}  // namespace quire::lmdb
