// What follows a table's stream, picked and wired: its statistics, where the stream keeps them, and
// the page index.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "page_index/page_index.h"
#include "projection/backfill.h"
#include "projection/worker.h"

namespace quire {

namespace dynamodb {
class Inspection;
struct Damage;
struct TableAccess;
class TableSource;
class TableStatistics;
}  // namespace dynamodb

class OpenProjection {
 public:
  // `store` must be a table. invalid_parameter: it is none, or nothing is to follow it: statistics
  // are kept by each write, and there is no page index.
  static Result<std::unique_ptr<OpenProjection>> open(const std::string& store,
                                                      const std::string& pages);
  ~OpenProjection();

  struct Followed {
    std::string what;        // "statistics" or "page index", for people
    std::string projection;  // with its epoch, names its leases
    change::Target* target;
  };
  const std::vector<Followed>& followed() const { return followed_; }
  projection::Source& source();
  // Damaged items that records of the stream put are counted and logged.
  void note(const std::vector<dynamodb::Damage>& damaged);
  const std::string& table() const;
  PageIndex* pages() { return pages_.get(); }
  // Also where each write keeps them.
  dynamodb::TableStatistics& statistics() { return *statistics_; }
  bool statistics_by_stream() const;
  // Of all items that are scanned after the first call.
  dynamodb::Inspection& inspection();

 private:
  OpenProjection();

  std::unique_ptr<dynamodb::TableAccess> access_;
  std::unique_ptr<dynamodb::TableSource> source_;
  std::unique_ptr<dynamodb::TableStatistics> statistics_;
  std::unique_ptr<dynamodb::Inspection> inspection_;
  std::unique_ptr<PageIndex> pages_;
  std::vector<Followed> followed_;
};

}  // namespace quire
