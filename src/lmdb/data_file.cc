#include "lmdb/data_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <system_error>

#include "lmdb/numbers.h"
#include "lmdb/sealed.h"

namespace quire::lmdb {
namespace {

constexpr std::uint32_t magic = 0xBEEFC0DE;
constexpr std::uint32_t data_version = 1;

// Flags of the tree of free pages.
constexpr std::uint16_t kinds_of_keys = 0x7F, keys_are_numbers = 8;

// Even transactions write page 0, odd ones page 1.
void check_turns(const std::array<Meta, 2>& metas) {
  auto even = metas[0].transaction, odd = metas[1].transaction;
  bool fresh = even == 0 && odd == 0 && metas[1].main.root == no_page;
  bool turns = even % 2 == 0 && odd % 2 == 1 && (even > odd ? even - odd : odd - even) == 1;
  if (!fresh && !turns) throw Damaged("its two first pages do not belong together");
}

void check_tree(const DataFile& file, const Meta& meta, const Tree& tree) {
  if (tree.root == no_page) return;
  std::vector<char> page;
  if (tree.root < 2 || tree.root > meta.last_page || !file.read(tree.root, 1, meta.page_size, page))
    throw Damaged("it is cut short, or its first pages name a root that is not there");
}

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

Meta read_meta(const char* page) {
  if (load<std::uint16_t>(page + 10) != page_meta || load<std::uint32_t>(page + 16) != magic)
    throw Damaged("its first pages are not those of a store");
  if (load<std::uint32_t>(page + 20) != data_version)
    throw Damaged("its first pages name another version of LMDB");
  Meta meta;
  meta.free = read_tree(page + 40);
  meta.main = read_tree(page + 88);
  meta.last_page = load<std::uint64_t>(page + 136);
  meta.transaction = load<std::uint64_t>(page + 144);
  meta.page_size = meta.free.pad;  // LMDB stores the page size there
  if (!std::has_single_bit(meta.page_size) || meta.page_size < 512 || meta.page_size > 65536)
    throw Damaged("its first pages name no size of pages");
  if ((meta.free.flags & kinds_of_keys) != keys_are_numbers)
    throw Damaged("its first pages name another kind of keys");
  return meta;
}

// With O_NONBLOCK the open of a pipe does not wait for a writer.
DataFile::DataFile(const std::string& path)
    : file_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
  if (file_ < 0) throw std::system_error(errno, std::generic_category(), path);
  struct stat about {};
  if (fstat(file_, &about) == 0 && S_ISREG(about.st_mode)) return;
  close(file_);
  throw Damaged("it is no file, but a directory, pipe, socket or device");
}

DataFile::DataFile(int file) : file_(fcntl(file, F_DUPFD_CLOEXEC, 0)) {
  if (file_ < 0) throw std::system_error(errno, std::generic_category(), "reading a data file");
}

DataFile::~DataFile() {
  close(file_);
}

std::uint64_t DataFile::size() const {
  struct stat about {};
  if (fstat(file_, &about) != 0) throw std::system_error(errno, std::generic_category());
  return static_cast<std::uint64_t>(about.st_size);
}

bool DataFile::read(PageNumber first, std::size_t pages, std::uint32_t page_size,
                    std::vector<char>& out) const {
  std::uint64_t at = first * page_size, bytes = std::uint64_t{pages} * page_size, all = size();
  if (first > all / page_size || bytes > all || at > all - bytes) return false;
  out.resize(bytes);
  for (std::size_t done = 0; done < out.size();) {
    auto got = pread(file_, out.data() + done, out.size() - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::system_error(errno, std::generic_category(), "reading the store");
    if (got == 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

std::array<Meta, 2> DataFile::metas() const {
  if (size() == 0) throw Damaged("it is empty, of 0 bytes");
  std::vector<char> page;
  if (!read(0, 1, 512, page)) throw Damaged("it is cut short");
  auto page_size = read_meta(page.data()).page_size;
  // Both at once: between two reads a busy writer commits more than once.
  if (!read(0, 2, page_size, page)) throw Damaged("it is cut short");
  Meta first = read_meta(page.data()), second = read_meta(page.data() + page_size);
  if (second.page_size != first.page_size)
    throw Damaged("its two first pages do not belong together");
  return {first, second};
}

std::optional<Meta> state_of(const DataFile& file, std::uint64_t transaction) {
  Meta state = file.metas()[transaction % 2];
  return state.transaction == transaction ? std::optional(state) : std::nullopt;
}

std::uint64_t last_transaction(const DataFile& file) {
  auto metas = file.metas();
  return std::max(metas[0].transaction, metas[1].transaction);
}

bool is_lmdb(const DataFile& file) {
  std::vector<char> page;
  if (!file.read(0, 1, 512, page)) return true;  // cut short: its kind is unknown
  if (load<std::uint32_t>(&page[16]) == magic) return true;
  // If the first meta page is damaged, the second one still tells.
  for (std::uint32_t size = 512; size <= 65536; size *= 2) {
    if (file.read(1, 1, size, page) && load<std::uint32_t>(&page[16]) == magic) return true;
  }
  return false;
}

void check_before_opening(const DataFile& file) {
  auto metas = file.metas();
  check_turns(metas);
  const Meta& now = metas[metas[1].transaction > metas[0].transaction];
  const Meta& before = metas[metas[1].transaction <= metas[0].transaction];
  if (now.last_page < before.last_page && now.transaction > before.transaction)
    throw Damaged("its first pages name a last page that is not its last");
  check_tree(file, now, now.free);
  check_tree(file, now, now.main);
  // Pages that were freed before they were ever written may be missing at the end of the file.
  if (now.last_page >= file.size() / now.page_size) check_missing_pages(file, now);
}

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
