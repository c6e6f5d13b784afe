// The comments of a table that others made, as one request reads them. Ids, counts and products are
// those of the page index; documents are read from the table as it is then. Without a page index,
// the mapping's own indexes give comments in order of time.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "page_index/page_index.h"
#include "store/dynamodb/adopted/table.h"
#include "store/views.h"

namespace quire::adopted {

class AdoptedView : public ListView, public BitmapView {
 public:
  // `index`: null where there is none. All must outlive the view.
  AdoptedView(dynamodb::TableAccess& access, const AdoptedTable& table, PageIndex* index)
      : access_(access), table_(table), index_(index) {}

  // nullptr: the mapping names no index, so a page index gives all pages.
  ListView* lists() override { return table_.has_lists() ? this : nullptr; }
  BitmapView* bitmap_view() override { return this; }
  Result<std::optional<bitmap_index::Source>> bitmaps(std::string_view product) override;

  void release() override { documents_.clear(); }
  // Without a page index that follows the table: none, and not exact.
  Awaitable<Result<Counts>> counts(std::string_view product) override;
  Awaitable<Result<std::shared_ptr<const Schema>>> schema() override;
  // A list that the table lacks is read from a larger one.
  Awaitable<Result<std::vector<Slice>>> read(std::string_view product, Order order,
                                             std::span<const Range> ranges,
                                             bool documents) override;
  Awaitable<Result<Slice>> comments(std::string_view product, Order order,
                                    std::optional<Ulid> after, std::size_t limit) override;
  Awaitable<Status> documents(std::string_view product, std::span<Entry> entries) override;
  // What the mapping takes for an id comes before an id of Quire's.
  Awaitable<Result<Ulid>> named(std::string_view name) override;
  Awaitable<Result<std::string_view>> get(const Ulid& id) override;
  Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view after,
                                                        std::size_t limit) override;
  Awaitable<Result<std::vector<std::string>>> names(std::string_view after,
                                                    std::size_t limit) override;
  // unavailable: a page index keeps no leaderboard.
  Awaitable<Result<std::vector<Leader>>> leaders(Leaders by, FacetValue language,
                                                 std::size_t limit) override;
  // In the table's own order. `after`: absent, or the last comment that this view gave.
  Awaitable<Result<Slice>> scan(std::optional<Ulid> after, std::size_t limit) override;
  Awaitable<Result<std::optional<std::uint64_t>>> as_of() override;
  std::string start_key(std::string_view product, const Cell& list, const Ulid& after,
                        std::size_t part) override;
  double consumed() const override { return consumed_; }

 private:
  Awaitable<Result<bool>> follows();
  Result<std::vector<dynamodb::Item>> keys_of(std::span<const Entry> entries);
  // `alone`: see ListQuestion.
  Awaitable<Result<Slice>> read_range(std::string product, Order order, Range range, bool alone);
  Awaitable<Result<Slice>> read_index(std::string product, Order order, std::optional<Ulid> after,
                                      std::size_t limit);
  Entry keep(const Comment& comment);
  // Nothing if the item is no comment. A damaged one is counted.
  std::optional<Entry> entry_of(const dynamodb::Item& item);

  dynamodb::TableAccess& access_;
  const AdoptedTable& table_;
  PageIndex* index_;
  double consumed_ = 0;
  std::deque<std::string> documents_;  // entries point to them
  std::optional<Entry> named_;         // what named() found
  // Where scan() goes on: after this comment, at this key.
  std::optional<std::pair<Ulid, dynamodb::Item>> scanned_;
};

}  // namespace quire::adopted
