// The contents of a page index at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitmap_index/reading/reader.h"
#include "change/target.h"
#include "page_index/facet_view.h"
#include "page_index/lmdb/databases.h"
#include "page_index/lmdb/format.h"
#include "page_index/page_index.h"

namespace quire::page_index {

// The comments of a product, oldest first, strictly after `after`, with their values of the
// facets. Throws as Reader.
std::vector<IndexedComment> read_members(bitmap_index::Reader& reader, const Schema& schema,
                                         std::optional<Ulid> after, std::size_t limit);

// A read transaction. Throws std::exception where the data is damaged or cannot be read.
class Snapshot {
 public:
  explicit Snapshot(const IndexDatabases& databases)
      : db_(databases), txn_(*databases.environment) {}

  change::State state();
  change::Phase phase() const;
  Schema schema() const;
  std::vector<std::string> products(std::string_view after, std::size_t limit);
  std::vector<FacetValue> languages(std::string_view product) const;
  // The bitmaps of a product. They live as long as the snapshot.
  bitmap_index::Source bitmaps(std::string_view product) const;
  // The facets declared for a table that others made.
  Schema declared() const;
  IndexedWords words() const;
  word_index::State words_state() const;
  std::optional<ItemRow> item(const Ulid& id) const;
  // See FacetView.
  std::vector<std::uint64_t> word_sums(std::string_view product, std::span<const Ulid> ids) const;
  Awaitable<std::vector<std::string>> flaws(std::string_view product) const;

 private:
  std::string_view meta(std::string_view key) const;

  const IndexDatabases& db_;
  lmdb::ReadTransaction txn_;
};

}  // namespace quire::page_index
