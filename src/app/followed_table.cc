#include "app/followed_table.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <optional>

#include "base/files.h"
#include "base/try.h"
#include "loop/loop.h"
#include "store/dynamodb/adopted/records.h"
#include "store/dynamodb/adopted/source.h"
#include "store/dynamodb/statistics/statistics.h"
#include "store/dynamodb/stream/source.h"

namespace quire {

namespace {

constexpr std::size_t max_bytes = 1 << 20;

Result<std::string> read_mapping(const std::string& path) {
  auto text = read_whole("the mapping", path, max_bytes);
  if (text && !text->empty()) return text;
  auto why = text ? fmt::format("The mapping {} is empty.", path) : text.error().message;
  return Error{ErrorCode::invalid_parameter, why + " quire table map prints a first one.", "store"};
}

Error no_event() {
  return {ErrorCode::invalid_parameter, "This is no event of a table's stream."};
}

class OwnTable : public FollowedTable {
 public:
  explicit OwnTable(const dynamodb::Address& address)
      : access_(address), source_(access_, address), statistics_(access_) {}

  dynamodb::TableAccess& access() override { return access_; }
  projection::Source& source() override { return source_; }
  projection::StatisticsTarget& statistics() override { return statistics_; }
  std::vector<projection::Followed> followed() override {
    if (access_.address.statistics == dynamodb::StatisticsBy::write) return {};
    return {{"statistics", std::string(dynamodb::statistics_projection), &statistics_}};
  }
  projection::Inspection& inspection() override {
    if (!inspection_) inspection_.emplace(access_);
    source_.show_to(*inspection_);
    return *inspection_;
  }
  Awaitable<Result<dynamodb::Event>> event(std::string text) override {
    auto event = dynamodb::decode_event(text);
    if (!event) co_return no_event();
    for (const auto& item : event->damaged) access_.damaged.note(item);
    co_return std::move(*event);
  }

 private:
  dynamodb::TableAccess access_;
  dynamodb::TableSource source_;
  dynamodb::TableStatistics statistics_;
  std::optional<dynamodb::ItemInspection> inspection_;
};

class AdoptedTable : public FollowedTable {
 public:
  AdoptedTable(AdoptedParts parts, const dynamodb::Address& address, PageIndex* index)
      : parts_(std::move(parts)),
        index_(index),
        source_(*parts_.access, address, parts_.table, index) {}

  dynamodb::TableAccess& access() override { return *parts_.access; }
  projection::Source& source() override { return source_; }
  projection::StatisticsTarget& statistics() override { return statistics_; }
  projection::Inspection& inspection() override {
    if (!inspection_) inspection_.emplace(*parts_.access, parts_.table);
    source_.show_to(*inspection_);
    return *inspection_;
  }
  Awaitable<Result<dynamodb::Event>> event(std::string text) override {
    auto records = dynamodb::decode_event_records(text);
    if (!records) co_return no_event();
    CO_TRY_DONE(co_await fits_index());
    auto event = dynamodb::event_of(*records);
    CO_TRY(event.changes,
           co_await adopted::changes_of(*parts_.access, parts_.table, std::move(records->records)));
    co_return event;
  }

 private:
  // A worker finds by the stream's name that another mapping built the index. Lambda asks here.
  Awaitable<Status> fits_index() {
    if (!index_) co_return Done{};
    CO_TRY(auto state, co_await index_->state());
    bool built = state.phase == change::Phase::following;
    if (!built || parts_.table.misfit(state.stream).empty()) co_return Done{};
    co_return Error{ErrorCode::unavailable,
                    "The page index was built by another mapping: run quire backfill --lambda "
                    "--again."};
  }

  AdoptedParts parts_;
  PageIndex* index_;
  adopted::AdoptedSource source_;
  projection::NoStatistics statistics_;
  std::optional<adopted::AdoptedInspection> inspection_;
};

}  // namespace

bool is_adopted(const std::string& address) {
  auto parsed = dynamodb::parse_address(address, "any");
  return parsed && !parsed->map.empty();
}

Result<adopted::Mapping> mapping_of(const dynamodb::Address& address) {
  TRY(auto text, read_mapping(address.map));
  return adopted::parse_mapping(text, address.map);
}

Result<AdoptedParts> open_adopted(const dynamodb::Address& address, bool beside) {
  TRY(auto mapping, mapping_of(address));
  auto access = std::make_unique<dynamodb::TableAccess>(address);
  TRY(auto table, wait(adopted::describe(*access, std::move(mapping), beside)));
  return AdoptedParts{std::move(access), std::move(table)};
}

Result<std::unique_ptr<FollowedTable>> open_followed_table(const dynamodb::Address& address,
                                                           PageIndex* index) {
  if (address.map.empty())
    return std::unique_ptr<FollowedTable>(std::make_unique<OwnTable>(address));
  TRY(auto parts, open_adopted(address, index != nullptr));
  if (parts.table.stream.empty()) return adopted::no_stream(address.table);
  spdlog::info("{}", parts.table.about_stream());
  return std::unique_ptr<FollowedTable>(
      std::make_unique<AdoptedTable>(std::move(parts), address, index));
}

}  // namespace quire
