#include "lmdb/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "lmdb/numbers.h"
#include "lmdb/sealed.h"

namespace quire::lmdb {
namespace {

[[noreturn]] void broken(PageNumber number) {
  throw Damaged(fmt::format("page {} is not whole", number));
}

Node read_node(std::string_view page, std::size_t at, bool branch, std::size_t& size) {
  const char* bytes = page.data() + at;
  auto low = load<std::uint16_t>(bytes), high = load<std::uint16_t>(bytes + 2);
  auto flags = load<std::uint16_t>(bytes + 4), key = load<std::uint16_t>(bytes + 6);
  Node node{{bytes + node_head, key}, flags};
  size = node_head + key;
  if (branch) {
    node.child = low | PageNumber{high} << 16 | PageNumber{flags} << 32;
  } else {
    node.size = low | std::uint64_t{high} << 16;
    size += flags & node_overflow ? sizeof(PageNumber) : node.size;
  }
  size += size % 2;
  return node;
}

}  // namespace

Tree read_tree(const char* at) {
  return {load<std::uint32_t>(at),      load<std::uint16_t>(at + 4),  load<std::uint16_t>(at + 6),
          load<std::uint64_t>(at + 8),  load<std::uint64_t>(at + 16), load<std::uint64_t>(at + 24),
          load<std::uint64_t>(at + 32), load<std::uint64_t>(at + 40)};
}

std::vector<Node> nodes_of(std::string_view page, PageNumber number) {
  auto flags = load<std::uint16_t>(&page[10]), lower = load<std::uint16_t>(&page[12]),
       upper = load<std::uint16_t>(&page[14]);
  if (load<PageNumber>(page.data()) != number || (flags != page_branch && flags != page_leaf) ||
      lower < page_head || lower % 2 != 0 || lower > upper || upper > page.size())
    broken(number);
  std::vector<Node> nodes;
  std::vector<std::pair<std::size_t, std::size_t>> spans;
  for (std::size_t at = page_head; at < lower; at += 2) {
    std::size_t offset = load<std::uint16_t>(&page[at]), size = 0;
    if (offset < upper || offset + node_head > page.size()) broken(number);
    Node node = read_node(page, offset, flags == page_branch, size);
    if (size > page.size() - offset) broken(number);
    std::size_t value = offset + node_head + node.key.size();
    if (flags == page_leaf && node.flags & node_overflow)
      node.child = load<PageNumber>(&page[value]);
    if (flags == page_leaf && !(node.flags & node_overflow))
      node.value = {page.data() + value, static_cast<std::size_t>(node.size)};
    nodes.push_back(node);
    spans.emplace_back(offset, size);
  }
  std::sort(spans.begin(), spans.end());
  std::size_t end = upper;
  for (auto [offset, size] : spans) {
    if (offset != end) broken(number);
    end += size;
  }
  if (end != page.size()) broken(number);
  return nodes;
}

std::vector<std::string_view> values_of(std::string_view page, std::size_t size, PageNumber number,
                                        bool within) {
  if (page.size() < page_head || size < sizeof(std::uint16_t)) broken(number);
  auto pad = load<std::uint16_t>(&page[8]), flags = load<std::uint16_t>(&page[10]),
       lower = load<std::uint16_t>(&page[12]), upper = load<std::uint16_t>(&page[14]);
  bool kind = within ? (flags & ~page_dirty) == (page_leaf | page_fixed | page_within)
                     : flags == (page_leaf | page_fixed) && load<PageNumber>(page.data()) == number;
  if (!kind || pad != size || lower < page_head || lower % 2 != 0) broken(number);
  // LMDB keeps the bounds as if each value had an offset of two bytes and the rest behind.
  std::size_t count = (lower - page_head) / sizeof(std::uint16_t);
  bool whole = count * size <= page.size() - page_head &&
               upper + count * (size - sizeof(std::uint16_t)) == page.size();
  if (!whole) broken(number);
  std::vector<std::string_view> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = page.substr(page_head + i * size, size);
  return values;
}

}  // namespace quire::lmdb
