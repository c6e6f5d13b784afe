// A table with what follows it, but for the page index: Quire's own table, or one that others made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamodb/address.h"
#include "page_index/page_index.h"
#include "projection/table.h"
#include "quire/result.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/adopted/table.h"
#include "store/dynamodb/stream/event.h"

namespace quire {

// Whether an address of a store is that of a table that others made: "dynamodb:TABLE?map=FILE".
bool is_adopted(const std::string& address);

// invalid_parameter: the file that the address names cannot be read, or is no mapping.
Result<adopted::Mapping> mapping_of(const dynamodb::Address& address);

struct AdoptedParts {
  std::unique_ptr<dynamodb::TableAccess> access;
  adopted::AdoptedTable table;
};

// Asks the table for its description. invalid_parameter: the file of the mapping cannot be read, or
// does not fit the table. unavailable: the table cannot be described.
// `beside`: see adopted::describe().
Result<AdoptedParts> open_adopted(const dynamodb::Address& address, bool beside);

class FollowedTable {
 public:
  virtual ~FollowedTable() = default;

  virtual dynamodb::TableAccess& access() = 0;
  virtual projection::Source& source() = 0;
  virtual projection::StatisticsTarget& statistics() = 0;
  // What the stream keeps beside a page index.
  virtual std::vector<projection::Followed> followed() { return {}; }
  // It sees each item that is scanned from now on.
  virtual projection::Inspection& inspection() = 0;
  // An event of AWS Lambda. invalid_parameter: the text is none. unavailable: the table cannot be
  // asked.
  virtual Awaitable<Result<dynamodb::Event>> event(std::string text) = 0;
};

// `index`: null where there is none; it must outlive the table. Errors: as open_adopted().
Result<std::unique_ptr<FollowedTable>> open_followed_table(const dynamodb::Address& address,
                                                           PageIndex* index);

}  // namespace quire
