#include "lmdb/state.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "lmdb/sealed.h"
#include "lmdb/tree_cursor.h"

namespace quire::lmdb {

void Map::set(const char* begin, std::uint32_t page_size, int file) {
  page_size_ = page_size;
  file_ = file;
  pages_ = 0;
  begin_ = begin;
}

// Another thread may have asked before the file grew, and answer later: the number never falls.
void Map::grow() const {
  struct stat about {};
  if (!begin_ || fstat(file_, &about) != 0) return;
  auto pages = static_cast<std::uint64_t>(about.st_size) / page_size_;
  for (auto known = pages_.load(); known < pages && !pages_.compare_exchange_weak(known, pages);) {
  }
}

void Map::damaged(PageNumber page, const char* what) const {
  if (met_) met_(fmt::format("page {}", page));
  throw Damaged(fmt::format("page {} of {} {}: run quire verify", page, path_, what));
}

bool State::take(std::uint64_t transaction) {
  if (taken_ && meta_.transaction == transaction) return true;
  std::fill(trees_.begin(), trees_.end(), std::nullopt);
  taken_ = false;
  Meta meta{.transaction = transaction};
  if (map_) {
    auto page = transaction % 2;
    const char* bytes = map_.find(page, 1);
    if (!bytes) damaged(page, "is not there");
    try {
      meta = read_meta(bytes);
    } catch (const Damaged&) {
      damaged(page, "is not whole");
    }
  }
  if (meta.transaction != transaction) return false;
  meta_ = meta;
  taken_ = true;
  return true;
}

const Tree& State::tree(MDB_dbi database) {
  if (database == list_of_free_pages) return meta_.free;
  if (database == list_of_databases) return meta_.main;
  auto& known = trees_.at(database);
  if (!known) known = find(names_[database]).value_or(Tree{});
  return *known;
}

std::optional<Tree> State::find(std::string_view database) const {
  TreeCursor databases(*this, meta_.main, TreeKind::main);
  if (!databases.find(database)) return {};
  return read_tree(databases.value().data());
}

std::optional<std::string_view> State::find(const Tree& tree, std::string_view key) const {
  bool several = tree.flags & tree_several;
  TreeCursor cursor(*this, tree, several ? TreeKind::several : TreeKind::data);
  if (!cursor.find(key)) return {};
  if (!several) return cursor.value();
  auto values = cursor.values();
  if (values.is_empty()) return cursor.value();
  return values.first() ? std::optional(values.key()) : std::nullopt;
}

}  // namespace quire::lmdb
