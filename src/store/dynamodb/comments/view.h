// The comments of the table: TableView reads them for one request, and Writes and Commits write
// them. Each read sees the table as it is then.
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "dynamodb/table_client.h"
#include "store/customer_view.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/list_page.h"
#include "store/dynamodb/totals/totals_cache.h"
#include "store/moderation_view.h"
#include "store/views.h"

namespace quire::dynamodb {

struct TableAccess;

class TableView : public ListView, public CustomerView, public ModerationView {
 public:
  explicit TableView(TableAccess& access) : access_(access) {}

  void release() override {
    documents_.clear();
    moderated_.clear();
  }
  Awaitable<Result<Counts>> counts(std::string_view product) override;
  Awaitable<Result<std::vector<Counts>>> counts_of(std::span<const std::string> products) override;
  // At most a few seconds old.
  Awaitable<Result<std::shared_ptr<const Schema>>> schema() override;
  Awaitable<Result<std::vector<Slice>>> read(std::string_view product, Order order,
                                             std::span<const Range> ranges,
                                             bool documents) override;
  Awaitable<Result<Slice>> comments(std::string_view product, Order order,
                                    std::optional<Ulid> after, std::size_t limit) override;
  Awaitable<Status> documents(std::string_view product, std::span<Entry> entries) override;
  Awaitable<Result<std::string_view>> get(const Ulid& id) override;
  Awaitable<Result<Comment>> find(const Ulid& id) override;
  // Of a product it asks for each of the comments again.
  Awaitable<Result<std::vector<Queued>>> moderated(std::string_view product,
                                                   std::span<const Entry> entries) override;
  Awaitable<Result<std::vector<Ulid>>> removed() override { co_return std::exchange(removed_, {}); }
  // As the index `all` has it, a moment behind the table.
  Awaitable<Result<QueuePage>> queue(QueueQuestion question) override;
  Awaitable<Result<OwnComments>> written_by(CustomerHash customer, std::optional<Ulid> after,
                                            std::size_t limit) override;
  Awaitable<Result<std::optional<Ulid>>> first_of(CustomerHash customer,
                                                  std::string product) override;
  Awaitable<Result<std::optional<Ulid>>> made_by(CustomerHash customer, TicketId ticket) override;
  Awaitable<Result<bool>> has_published(CustomerHash customer) override;
  Awaitable<Result<std::vector<ReportRow>>> reports_by(CustomerHash customer) override;
  Awaitable<Result<std::vector<VoteRow>>> votes_by(CustomerHash customer) override;
  // Sees all that was written before. Costs a read for each comment, and one or more for all.
  Awaitable<Result<Traces>> traces(CustomerHash customer, std::vector<Ulid> comments) override;
  CustomerView* customers() override { return this; }
  ModerationView* moderation() override { return this; }
  Awaitable<Result<FoundFacts>> facts(std::vector<std::string> products) override;
  Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view after,
                                                        std::size_t limit) override;
  Awaitable<Result<std::vector<std::string>>> names(std::string_view after,
                                                    std::size_t limit) override;
  Awaitable<Result<std::vector<Leader>>> leaders(Leaders by, FacetValue language,
                                                 std::size_t limit) override;
  // In the table's own order.
  Awaitable<Result<Slice>> scan(std::optional<Ulid> after, std::size_t limit) override;
  Awaitable<Result<std::optional<std::uint64_t>>> as_of() override;
  std::string start_key(std::string_view product, const Cell& list, const Ulid& after,
                        std::size_t part) override;
  double consumed() const override { return consumed_; }

 private:
  Awaitable<Result<PageAnswer>> page(Call call);
  // The products with facts, as names() gives them.
  Awaitable<Result<std::vector<std::string>>> with_facts(std::string after, std::size_t limit);
  Awaitable<Result<std::vector<PageAnswer>>> pages(std::vector<Call> calls);
  Awaitable<Result<std::vector<RatingCounts>>> ratings_of(const std::vector<std::string>& products,
                                                          FacetValue language);
  Awaitable<Result<std::vector<std::pair<std::string, std::string>>>> best(Leaders by,
                                                                           FacetValue language,
                                                                           std::size_t limit);
  // In how many parts readers must ask the product's lists.
  Awaitable<Result<Parts>> parts_of(std::string_view product);
  Counts take(std::string_view product, const Known<Totals>& known);
  Result<ListPage> take(const Answer& answer, std::string_view product, const Cell& wanted);
  Slice keep(ListPage list);
  void leave_out(const Damage& damage);
  // The comment, whatever its status. Absent: the item is no comment. A damaged one is left out.
  std::optional<Comment> comment_in(const Item& item);
  // The votes in the items of these keys.
  Awaitable<Result<std::vector<VoteRow>>> votes_in(std::vector<Item> keys);
  // The reports in an item of reports; none, where they are damaged.
  std::vector<Report> reports_in(const Item& item);
  Entry keep(const Comment& comment);
  void note_moderation(const Item& item, const std::optional<Comment>& comment);
  // The comments of a queue's items, by id. Counts the damaged ones.
  Awaitable<Result<std::map<Ulid, Comment>>> comments_of(QueueQuestion::Kind kind,
                                                         std::span<const Item> items,
                                                         std::size_t& damaged);
  Awaitable<Result<bool>> goes_back(QueueQuestion question, const Ulid& first);
  Awaitable<Status> add_reports(std::vector<Queued>& rows);
  Awaitable<Result<std::optional<std::uint64_t>>> count_queue(QueueQuestion::Kind kind);

  TableAccess& access_;
  double consumed_ = 0;
  bool counted_ = false;
  std::optional<std::uint64_t> as_of_ms_;  // of the counts
  std::deque<std::string> documents_;      // entries point to them
  // Of scan(): its last published comment, the key at which it ended, and what moderated() and
  // removed() give.
  std::optional<Comment> scanned_;
  std::optional<Item> scan_end_;
  std::vector<Queued> moderated_;
  std::vector<Ulid> removed_;
};

}  // namespace quire::dynamodb
