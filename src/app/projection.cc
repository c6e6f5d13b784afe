#include "app/projection.h"

#include "app/pages.h"
#include "app/region.h"
#include "store/dynamodb/statistics/statistics.h"
#include "store/dynamodb/stream/source.h"

namespace quire {
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
  auto address = dynamodb::parse_address(store, environment_region());
  if (!address) return address.error();
  auto index = open_pages(pages, store, Access::write);
  if (!index) return index.error();
  std::unique_ptr<OpenProjection> out(new OpenProjection);
  out->access_ = std::make_unique<dynamodb::TableAccess>(*address);
  out->source_ = std::make_unique<dynamodb::TableSource>(*out->access_, *address);
  out->statistics_ = std::make_unique<dynamodb::TableStatistics>(*out->access_);
  out->pages_ = std::move(*index);
  if (out->statistics_by_stream()) {
    out->followed_.push_back(
        {"statistics", std::string(dynamodb::statistics_projection), out->statistics_.get()});
  }
  if (out->pages_) out->followed_.push_back({"page index", "pages", out->pages_.get()});
  return out;
}

projection::Source& OpenProjection::source() {
  return *source_;
}

void OpenProjection::note(const std::vector<dynamodb::Damage>& damaged) {
  for (const auto& item : damaged) access_->damaged.note(item);
}

dynamodb::Inspection& OpenProjection::inspection() {
  if (!inspection_) inspection_ = std::make_unique<dynamodb::Inspection>(*access_);
  source_->show_to(*inspection_);
  return *inspection_;
}

const std::string& OpenProjection::table() const {
  return access_->address.table;
}

bool OpenProjection::statistics_by_stream() const {
  return access_->address.statistics == dynamodb::StatisticsBy::stream;
}

}  // namespace quire
