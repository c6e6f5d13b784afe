// What the entry at a cursor holds: its value, in the page or on pages of its own, or several
// values.
#include "lmdb/numbers.h"
#include "lmdb/sealed.h"
#include "lmdb/tree_cursor.h"

namespace quire::lmdb {
namespace {

constexpr const char* no_value = "has an entry of another kind";

}  // namespace

Node TreeCursor::node() const {
  const char* bytes = key_.data() - node_head;
  Node node{key_, load<std::uint16_t>(bytes + 4)};
  node.size = load<std::uint16_t>(bytes) | std::uint64_t{load<std::uint16_t>(bytes + 2)} << 16;
  const char* value = key_.data() + key_.size();
  auto left = state_->page_size() - static_cast<std::size_t>(value - at(top_).page);
  bool far = node.flags & node_overflow;
  if ((far ? sizeof(PageNumber) : node.size) > left) broken(top_);
  if (far)
    node.child = load<PageNumber>(value);
  else
    node.value = {value, static_cast<std::size_t>(node.size)};
  return node;
}

std::string_view TreeCursor::value() const {
  Node node = this->node();
  if (node.flags == 0 && kind_ != TreeKind::main) return node.value;
  bool far = node.flags & node_overflow;
  bool right = kind_ == TreeKind::main      ? node.flags == node_tree && node.size == tree_size
               : kind_ == TreeKind::several ? false
                                            : node.flags == node_overflow;
  if (!right) broken(top_, no_value);
  if (!far) return node.value;
  auto needed = pages_for(node.size, state_->page_size());
  const char* page = state_->pages(node.child, needed);
  auto count = load<std::uint32_t>(page + 12);
  if (load<PageNumber>(page) != node.child || load<std::uint16_t>(page + 10) != page_overflow ||
      count < needed)
    state_->damaged(node.child, "is not whole");
  return {page + page_head, static_cast<std::size_t>(node.size)};
}

TreeCursor TreeCursor::values() const {
  Node node = this->node();
  if (node.flags == 0) return {};
  if (node.flags == node_several) return {*state_, node.value, load<PageNumber>(at(top_).page)};
  if (node.flags != (node_several | node_tree) || node.size != tree_size) broken(top_, no_value);
  Tree tree = read_tree(node.value.data());
  if (tree.flags != tree_fixed || tree.root == no_page || tree.pad == 0) broken(top_, no_value);
  return {*state_, tree, TreeKind::values};
}

std::string_view TreeCursor::page_of_values() {
  Level& page = at(top_);
  page.index = static_cast<std::uint16_t>(page.count - 1);
  return {page.page + page_head, page.count * value_size_};
}

}  // namespace quire::lmdb
