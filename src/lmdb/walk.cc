// Walks from the roots to every page. Each page must be whole, in order, and used once.
#include <fmt/format.h>

#include <algorithm>

#include "lmdb/data_file.h"
#include "lmdb/numbers.h"
#include "lmdb/sealed.h"

namespace quire::lmdb {
namespace {

constexpr std::size_t max_faults = 100;
constexpr int max_depth = 32;  // the limit of LMDB

int order_of_numbers(std::string_view a, std::string_view b) {
  auto left = load<std::uint64_t>(a.data()), right = load<std::uint64_t>(b.data());
  return left < right ? -1 : left > right;
}

class Walker {
 public:
  Walker(const DataFile& file, const Meta& meta) : file_(file), meta_(meta) {
    uses_.resize(std::min(meta.last_page + 1, file.size() / meta.page_size + max_missing));
  }

  // Walks the tree that lists the free pages.
  void free_tree() { tree("the list of free pages", meta_.free, TreeKind::free); }
  // Walks the tree of databases, and the tree of each database.
  void main_tree(bool whole) {
    whole_ = whole;
    tree("the list of databases", meta_.main, TreeKind::main);
  }

  void account() {
    for (PageNumber page = 2; page < uses_.size(); ++page) {
      if (uses_[page] == Use::none) fault(fmt::format("page {} is neither used nor free", page));
      walked.pages += uses_[page] == Use::tree;
      walked.free_pages += uses_[page] == Use::free;
    }
  }

  bool is_free(PageNumber page) const { return page < uses_.size() && uses_[page] == Use::free; }

  Walked walked;

 private:
  enum class Use : char { none, tree, free };
  // LMDB leaves at most so many pages missing at the end of a file.
  static constexpr std::uint64_t max_missing = 1 << 20;

  struct Walk {
    std::string_view name;
    TreeKind kind;
    Tree counted = {};
    std::string last = {};
    bool any = false;
    std::uint64_t newest_free = 0;
    std::size_t value_size = 0;  // of several, and of values
  };

  void fault(std::string what) {
    if (walked.faults.size() < max_faults) walked.faults.push_back(std::move(what));
  }

  void use(PageNumber first, std::uint64_t pages, Use as) {
    if (first < 2 || first >= uses_.size() || pages > uses_.size() - first)
      throw Damaged(fmt::format("page {} is not there", first));
    for (auto page = first; page < first + pages; ++page) {
      if (uses_[page] != Use::none)
        throw Damaged(fmt::format("page {} is used twice, or free as well", page));
      uses_[page] = as;
    }
  }

  void tree(std::string_view name, const Tree& tree, TreeKind kind) {
    Walk walk{name, kind};
    try {
      if (tree.root != no_page) subtree(walk, tree.root, 1, {}, {});
      check_counts(walk.counted, tree);
      if (kind == TreeKind::free && meta_.transaction >= 2 && walk.newest_free != meta_.transaction)
        throw Damaged("it is not that of the last transaction");
      auto flags = kind == TreeKind::several ? tree_several | tree_fixed : 0;
      if (kind != TreeKind::free && (tree.flags != flags || tree.pad != 0))
        throw Damaged("it has another kind of keys");
    } catch (const Damaged& damaged) {
      fault(fmt::format("{}: {}", name, damaged.what()));
    }
  }

  static void check_counts(const Tree& counted, const Tree& tree) {
    bool same = counted.branches == tree.branches && counted.leaves == tree.leaves &&
                counted.overflows == tree.overflows && counted.entries == tree.entries &&
                counted.depth == tree.depth;
    if (!same) throw Damaged("its pages are not as many as it says");
  }

  // All keys of the subtree are from `low` to below `high`; empty: no bound.
  void subtree(Walk& walk, PageNumber number, int depth, std::string_view low,
               std::string_view high) {
    if (depth > max_depth) throw Damaged("it is too deep");
    use(number, 1, Use::tree);
    std::vector<char> page;
    if (!file_.read(number, 1, meta_.page_size, page))
      throw Damaged(fmt::format("page {} lies behind the end of the file", number));
    bool branch = load<std::uint16_t>(&page[10]) == page_branch;
    ++(branch ? walk.counted.branches : walk.counted.leaves);
    if (!branch && walk.counted.depth == 0) walk.counted.depth = static_cast<std::uint16_t>(depth);
    if (!branch && walk.counted.depth != depth) misplaced(number);
    if (!branch && walk.kind == TreeKind::values) {
      auto found = values_of({page.data(), page.size()}, walk.value_size, number, false);
      return values(walk, number, found, low, high);
    }
    auto nodes = nodes_of({page.data(), page.size()}, number);
    if (nodes.size() < (branch ? 2 : 1)) misplaced(number);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!branch) {
        check_bounds(walk, number, nodes[i].key, low, high);
        leaf(walk, number, nodes[i]);
        continue;
      }
      auto from = i == 0 ? low : nodes[i].key;
      auto to = i + 1 < nodes.size() ? nodes[i + 1].key : high;
      if (i > 0) check_bounds(walk, number, nodes[i].key, low, high);
      subtree(walk, nodes[i].child, depth + 1, from, to);
    }
  }

  [[noreturn]] static void misplaced(PageNumber number) {
    throw Damaged(fmt::format("page {} is in the wrong place", number));
  }

  void values(Walk& walk, PageNumber page, const std::vector<std::string_view>& values,
              std::string_view low, std::string_view high) {
    if (values.empty()) misplaced(page);
    for (auto value : values) {
      check_bounds(walk, page, value, low, high);
      check_order(walk, value);
    }
  }

  int compare(const Walk& walk, std::string_view a, std::string_view b) const {
    if (walk.kind == TreeKind::free && a.size() == 8 && b.size() == 8)
      return order_of_numbers(a, b);
    return a.compare(b);
  }

  void check_bounds(const Walk& walk, PageNumber page, std::string_view key, std::string_view low,
                    std::string_view high) const {
    bool sized = walk.kind != TreeKind::free || key.size() == 8;
    if (!sized || key.empty() || (!low.empty() && compare(walk, key, low) < 0) ||
        (!high.empty() && compare(walk, key, high) >= 0))
      throw Damaged(fmt::format("page {} has a key that does not belong there", page));
  }

  // Counts the key, which comes behind all before it.
  void check_order(Walk& walk, std::string_view key) const {
    if (walk.any && compare(walk, walk.last, key) >= 0) throw Damaged("its keys are not in order");
    walk.any = true;
    walk.last = key;
    ++walk.counted.entries;
  }

  void leaf(Walk& walk, PageNumber page, const Node& node) {
    check_order(walk, node.key);
    if (walk.kind == TreeKind::several) return several(walk, page, node);
    if (node.flags & ~(walk.kind == TreeKind::main ? node_tree : node_overflow))
      throw Damaged("an entry is not of its kind");
    std::vector<char> far;
    std::string_view value = node.value;
    if (node.flags & node_overflow) value = overflow(walk, node, far);
    if (walk.kind == TreeKind::free) free_pages(walk, value);
    if (walk.kind == TreeKind::main) database(node);
  }

  // The values under a key: one, or several in a page within the entry or in a tree of their own.
  void several(Walk& walk, PageNumber page, const Node& node) {
    bool one = node.flags == 0, apart = node.flags == (node_several | node_tree);
    if (!one && !apart && node.flags != node_several) throw Damaged("an entry is not of its kind");
    if (apart && node.value.size() != tree_size) throw Damaged("an entry is not whole");
    if (!one && !apart && node.value.size() < page_head) throw Damaged("an entry is not whole");
    Tree tree = apart ? read_tree(node.value.data()) : Tree{};
    std::size_t size = one     ? node.value.size()
                       : apart ? tree.pad
                               : load<std::uint16_t>(&node.value[8]);
    if (walk.value_size == 0) walk.value_size = size;
    if (size == 0 || size != walk.value_size || (apart && tree.flags != tree_fixed))
      throw Damaged("an entry is not of its kind");
    if (one) return;
    Walk inner{walk.name, TreeKind::values};
    inner.value_size = size;
    if (apart) {
      subtree(inner, tree.root, 1, {}, {});
      check_counts(inner.counted, tree);
    } else {
      values(inner, page, values_of(node.value, size, page, true), {}, {});
    }
    walk.counted.entries += inner.counted.entries - 1;
  }

  // A value that became shorter within its transaction keeps all its pages.
  std::string_view overflow(Walk& walk, const Node& node, std::vector<char>& pages) {
    auto needed = pages_for(node.size, meta_.page_size);
    if (!file_.read(node.child, 1, meta_.page_size, pages) ||
        load<PageNumber>(pages.data()) != node.child ||
        load<std::uint16_t>(&pages[10]) != page_overflow ||
        load<std::uint32_t>(&pages[12]) < needed)
      throw Damaged(fmt::format("page {} is not whole", node.child));
    auto count = load<std::uint32_t>(&pages[12]);
    use(node.child, count, Use::tree);
    walk.counted.overflows += count;
    if (walk.kind != TreeKind::free) return {};  // values of data carry their own checksums
    if (!file_.read(node.child, needed, meta_.page_size, pages))
      throw Damaged(fmt::format("page {} lies behind the end of the file", node.child));
    return {pages.data() + page_head, static_cast<std::size_t>(node.size)};
  }

  void free_pages(Walk& walk, std::string_view value) {
    walk.newest_free = load<std::uint64_t>(walk.last.data());
    auto room = value.size() / sizeof(PageNumber);
    auto count = room > 0 ? load<std::uint64_t>(value.data()) : 0;
    if (room == 0 || value.size() % sizeof(PageNumber) != 0 || count >= room)
      throw Damaged("an entry is not whole");
    PageNumber before = no_page;
    for (std::uint64_t i = 1; i <= count; ++i) {
      auto page = load<PageNumber>(value.data() + i * sizeof(PageNumber));
      if (page >= before) throw Damaged("its pages are not in order");
      use(page, 1, Use::free);
      before = page;
    }
  }

  void database(const Node& node) {
    if (node.flags != node_tree || node.value.size() != tree_size)
      throw Damaged("an entry is not whole");
    Tree root = read_tree(node.value.data());
    std::string name = "database " + std::string(node.key);
    if (whole_)
      return tree(name, root, root.flags & tree_several ? TreeKind::several : TreeKind::data);
    std::vector<char> page;
    if (root.root == no_page) return;
    if (root.root > meta_.last_page || !file_.read(root.root, 1, meta_.page_size, page))
      throw Damaged(fmt::format("page {} is not there", root.root));
    nodes_of({page.data(), page.size()}, root.root);
  }

  const DataFile& file_;
  Meta meta_;
  std::vector<Use> uses_;
  bool whole_ = true;
};

}  // namespace

Walked walk(const DataFile& file, const Meta& state, bool whole) {
  Walker walker(file, state);
  if (whole) walker.free_tree();
  walker.main_tree(whole);
  if (whole && walker.walked.faults.empty()) walker.account();
  return std::move(walker.walked);
}

PageNumber first_leaf(const DataFile& file, const Meta& meta) {
  PageNumber page = meta.main.root;
  std::vector<char> bytes;
  for (int level = 0; level < max_depth; ++level) {
    if (!file.read(page, 1, meta.page_size, bytes)) break;
    auto nodes = nodes_of({bytes.data(), bytes.size()}, page);
    if (load<std::uint16_t>(&bytes[10]) != page_branch) return page;
    page = nodes.front().child;
  }
  throw Damaged(fmt::format("page {} is not there", page));
}

void check_free_list(const DataFile& file, const Meta& meta) {
  Walker walker(file, meta);
  walker.free_tree();
  if (!walker.walked.faults.empty()) throw Damaged(walker.walked.faults.front());
}

void check_missing_pages(const DataFile& file, const Meta& meta) {
  auto there = file.size() / meta.page_size;
  Walker walker(file, meta);
  walker.free_tree();
  for (auto page = there; page <= meta.last_page; ++page) {
    if (!walker.is_free(page)) throw Damaged("it is cut short");
  }
}

}  // namespace quire::lmdb
