// A table that others made as the source of a projection. The leases of workers are kept in this
// process: a page index in a file has one worker, or two that the marks keep apart.
#pragma once

#include <set>
#include <string>

#include "page_index/page_index.h"
#include "projection/source.h"
#include "projection/table.h"
#include "store/dynamodb/adopted/table.h"
#include "store/dynamodb/stream/source.h"

namespace quire::adopted {

// Damaged items of a table that others made, for `quire verify`. They are named, and never changed.
// Used on a loop of one thread. What it is given must outlive it.
class AdoptedInspection : public projection::Inspection {
 public:
  static constexpr std::size_t max_items = 10'000;

  AdoptedInspection(dynamodb::TableAccess& access, const AdoptedTable& table)
      : access_(access), table_(table) {}

  // Remembers a damaged item. Beyond `max_items`, remembers only that there are more.
  void note(const dynamodb::Item& item);

  Awaitable<Result<std::vector<std::string>>> look_again() override;
  // Does nothing: the items are their owner's.
  Awaitable<Result<projection::RepairedItems>> repair() override {
    co_return projection::RepairedItems{};
  }

 private:
  dynamodb::TableAccess& access_;
  const AdoptedTable& table_;
  std::set<dynamodb::Item> keys_;
  bool more_ = false;
};

// What it is given must outlive it.
class AdoptedSource : public projection::Source {
 public:
  // `index`: it keeps the facets that are declared; null where there is none.
  AdoptedSource(dynamodb::TableAccess& access, const dynamodb::Address& address,
                AdoptedTable& table, PageIndex* index)
      : access_(access), table_(table), index_(index), stream_(access, address) {}

  // Shows every item that is scanned from now on to `inspection`, which must outlive this.
  void show_to(AdoptedInspection& inspection) { inspection_ = &inspection; }

  // Its name ends with the fingerprint of the mapping: an index that was built by another mapping
  // follows another stream.
  Awaitable<Result<projection::Stream>> stream() override;
  Awaitable<Result<projection::Iterator>> iterator(std::string arn, std::string shard,
                                                   std::string after) override;
  Awaitable<Result<projection::Read>> read(std::string iterator) override;
  Awaitable<Result<projection::Scanned>> scan(std::size_t segment, std::size_t segments,
                                              std::string after) override;
  Awaitable<Result<Schema>> schema() override;
  Awaitable<Result<projection::Leases>> leases(std::string projection) override;
  Awaitable<Result<bool>> put_lease(std::string projection, std::string shard,
                                    std::optional<projection::Lease> before,
                                    std::optional<projection::Lease> after) override;

 private:
  dynamodb::TableAccess& access_;
  AdoptedTable& table_;
  PageIndex* index_;
  AdoptedInspection* inspection_ = nullptr;
  dynamodb::StreamReader stream_;
  std::map<std::string, projection::Leases> leases_;  // by projection
};

}  // namespace quire::adopted
