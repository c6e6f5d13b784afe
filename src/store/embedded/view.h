// The view of one request: a read transaction. It suspends only to give the other coroutines of the
// loop their turn.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitmap_index/reading/kept_totals.h"
#include "store/customer_view.h"
#include "store/embedded/databases.h"
#include "store/embedded/format/rows.h"
#include "store/event_log.h"
#include "store/moderation_view.h"
#include "store/store.h"
#include "store/views.h"

namespace quire::embedded {

class LmdbView : public View,
                 public BitmapView,
                 public CustomerView,
                 public ModerationView,
                 public EventView {
 public:
  LmdbView(const Databases& databases, bitmap_index::KeptTotals& totals);

  Awaitable<Result<Counts>> counts(std::string_view product) override;
  Awaitable<Result<std::shared_ptr<const Schema>>> schema() override;
  Awaitable<Result<Slice>> comments(std::string_view product, Order order,
                                    std::optional<Ulid> after, std::size_t limit) override;
  Awaitable<Status> documents(std::string_view product, std::span<Entry> entries) override;
  Awaitable<Result<std::string_view>> get(const Ulid& id) override;
  Awaitable<Result<Comment>> find(const Ulid& id) override;
  Awaitable<Result<std::vector<Queued>>> moderated(std::string_view product,
                                                   std::span<const Entry> entries) override;
  Awaitable<Result<std::vector<Ulid>>> removed() override;
  Awaitable<Result<QueuePage>> queue(QueueQuestion question) override;
  Awaitable<Result<OwnComments>> written_by(CustomerHash customer, std::optional<Ulid> after,
                                            std::size_t limit) override;
  Awaitable<Result<std::optional<Ulid>>> first_of(CustomerHash customer,
                                                  std::string product) override;
  Awaitable<Result<std::optional<Ulid>>> made_by(CustomerHash customer, TicketId ticket) override;
  Awaitable<Result<bool>> has_published(CustomerHash customer) override;
  Awaitable<Result<std::vector<ReportRow>>> reports_by(CustomerHash customer) override;
  Awaitable<Result<std::vector<VoteRow>>> votes_by(CustomerHash customer) override;
  Awaitable<Result<Traces>> traces(CustomerHash customer, std::vector<Ulid> comments) override;
  Awaitable<Result<std::optional<StatusTotals>>> status_totals() override;
  std::optional<EventMark> newest_event() override;
  Awaitable<Result<std::optional<EventRun>>> events(std::optional<EventMark> after,
                                                    std::size_t limit) override;
  Awaitable<Result<std::vector<Revision>>> revisions(std::optional<std::string> product) override;
  Awaitable<Result<FoundFacts>> facts(std::vector<std::string> products) override;
  Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view after,
                                                        std::size_t limit) override;
  Awaitable<Result<std::vector<std::uint64_t>>> newest(
      std::span<const std::string> products) override;
  Awaitable<Result<std::vector<Leader>>> leaders(Leaders by, FacetValue language,
                                                 std::size_t limit) override;
  Awaitable<Result<Slice>> scan(std::optional<Ulid> after, std::size_t limit) override;
  Awaitable<Result<std::optional<std::uint64_t>>> counted(std::string_view product) override;
  // See Store. Absent: a row that it needs is damaged.
  std::optional<Generation> generation(std::string_view product);
  BitmapView* bitmap_view() override { return this; }
  CustomerView* customers() override { return this; }
  ModerationView* moderation() override { return this; }
  EventView* event_log() override { return this; }
  Result<std::optional<bitmap_index::Source>> bitmaps(std::string_view product) override;
  Result<word_index::State> words() override;

 private:
  // nullptr: there is no such product. damaged: its row is.
  Result<const ProductRow*> product(std::string_view name);
  Awaitable<Result<Queued>> queued(const Ulid& id);
  // Absent: the customer has no vote on the comment, or its row is damaged and left out.
  std::optional<Vote> vote_of(const CustomerHash& customer, const Ulid& id);
  std::string_view placeholder(const Ulid& id);
  void leave_out(std::string_view what);  // `what`: see Damage::meet()
  Entry scanned(std::string_view key, std::string_view value);

  const Databases& db_;
  bitmap_index::KeptTotals& totals_;
  lmdb::ReadTransaction txn_;
  lmdb::Cursor comments_;
  std::string name_;               // of the product in row_
  std::string removed_;            // the last key that removed() gave
  std::optional<ProductRow> row_;  // cached: a request asks several times for one product
};

}  // namespace quire::embedded
