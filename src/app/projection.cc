#include "app/projection.h"

#include "app/followed_table.h"
#include "base/clock.h"
#include "base/try.h"
#include "loop/loop.h"
#include "projection/lambda.h"
#include "store/dynamodb/stream/event.h"

namespace quire {

using projection::Followed;

OpenProjection::OpenProjection() = default;
OpenProjection::~OpenProjection() = default;

Result<std::unique_ptr<OpenProjection>> OpenProjection::open(const std::string& store,
                                                             const std::string& pages) {
  if (!store.starts_with("dynamodb:")) {
    return Error{ErrorCode::invalid_parameter,
                 "An embedded store keeps everything in step itself. This is for a table: --store "
                 "dynamodb:TABLE?region=R.",
                 "store"};
  }
  TRY(auto address, dynamodb::parse_address(store, dynamodb::system_configuration()));
  auto index = open_pages(pages, store, Access::write);
  if (!index) return index.error();
  std::unique_ptr<OpenProjection> out(new OpenProjection);
  out->pages_ = std::move(*index);
  TRY(out->followed_table_, open_followed_table(address, out->pages_.get()));
  auto& made = *out->followed_table_;
  auto& table = out->table_.emplace(projection::ProjectedTable{made.source(), made.statistics(),
                                                               out->pages_.get(), made.followed()});
  if (out->pages_) table.followed.push_back({"page index", "pages", out->pages_.get()});
  return out;
}

Result<std::unique_ptr<OpenProjection>> OpenProjection::open_followed(const std::string& store,
                                                                      const std::string& pages) {
  auto out = open(store, pages);
  if (!out || !(*out)->followed().empty()) return out;
  return Error{ErrorCode::invalid_parameter,
               "Nothing follows this table: name a page index with --pages, or let the stream keep "
               "the statistics: --store \"dynamodb:TABLE?statistics=stream\"."};
}

Result<projection::Built> OpenProjection::build(const Followed& followed,
                                                const projection::Building& options,
                                                projection::Progress& progress) {
  return wait(projection::build(*table_, followed, open_temporary_index, options, progress));
}

Awaitable<bool> OpenProjection::begin_if_empty(const Followed& followed) {
  projection::MakeIndex make_index = open_temporary_index;
  co_return co_await projection::begin_if_empty(*table_, followed, make_index);
}

Result<projection::Verified> OpenProjection::verify(const projection::Verification& options,
                                                    projection::Progress& progress) {
  auto& inspection = followed_table_->inspection();
  return wait(projection::verify(*table_, inspection, open_temporary_index, options, progress));
}

Awaitable<Result<std::string>> OpenProjection::answer_event(
    std::string text, std::chrono::steady_clock::time_point until) {
  const auto& name = followed_table_->access().address.table;
  CO_TRY(auto event, co_await followed_table_->event(std::move(text)));
  if (!event.table.empty() && event.table != name)
    co_return Error{ErrorCode::invalid_parameter, "These are records of the table " + event.table +
                                                      ", and this follows " + name + "."};
  bool records = !event.first.empty();
  auto as_of_ms = records ? std::min(event.made_ms, system_ms()) : system_ms();
  projection::Batch batch{std::move(event.changes), records, as_of_ms, until};
  CO_TRY(auto failed, co_await projection::apply_batch(*table_, std::move(batch)));
  co_return dynamodb::event_answer(failed.value_or(""));
}

std::vector<Metric> OpenProjection::metrics() const {
  using dynamodb::DamagedItems;
  return {{DamagedItems::counter, DamagedItems::counter_help,
           static_cast<double>(followed_table_->access().damaged.total())}};
}

}  // namespace quire
