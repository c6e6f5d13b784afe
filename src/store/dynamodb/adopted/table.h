// A table that others made: what its description says, and whether the mapping fits it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/item.h"
#include "model/facets.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/adopted/mapping/reading.h"
#include "store/dynamodb/provision/table.h"

namespace quire::adopted {

// Where lists of comments lie in order of time: an index, or the table itself.
struct ListIndex {
  std::string index;  // empty: the table
  std::string partition;
  KeyPattern key;  // of the partition, which is a text
  std::string sort;
  dynamodb::Type sort_type = dynamodb::Type::string;
  std::vector<std::string> missing = {};  // attributes that the mapping reads, and it lacks
  bool all = true;                        // it has all attributes of its items

  // Whether comments can be read from it alone.
  bool whole() const { return missing.empty(); }
};

// Where an item is found by its owner's id.
struct ById {
  std::string index;  // empty: the table
  std::string partition;
  dynamodb::Type type = dynamodb::Type::string;
  std::vector<std::string> missing = {};  // as of a ListIndex
};

struct AdoptedTable {
  Mapping mapping;
  KeyNames names;
  std::string stream = {};       // its ARN; empty: it is off
  std::string stream_view = {};  // "NEW_IMAGE"
  std::string created = {};      // when the table was made; empty: the service does not tell
  // By their places in `indexes`. If there is any, there is that of all comments of a product.
  std::array<std::optional<ListIndex>, indexes.size()> lists = {};
  std::optional<ById> by_id = {};  // absent: the mapping names no id

  bool has_lists() const { return lists.front().has_value(); }
  // The index of exactly this list; else, of those whose lists contain it, the one with the most
  // facets. There is one if has_lists().
  const ListIndex& list_index(const Cell& list) const;

  Reading read(const dynamodb::Item& item) const { return read_item(mapping, names, item); }
  // Whether the stream's records have the items as they are afterwards, or before.
  bool new_images() const;
  bool old_images() const;
  // The name under which a page index follows the table's stream: it tells the table and the
  // mapping, too.
  std::string followed_name() const;
  // Why a page index that follows a stream of this name is not of this table and mapping, as a
  // sentence; empty: it is. The stream itself may be another by now: its owner may have switched it
  // off and on.
  std::string misfit(const std::string& followed) const;
  // What the stream can give, as a sentence for operators. There is a stream.
  std::string about_stream() const;
  // What the indexes lack, and what a page costs therefore: a sentence for each that lacks any.
  std::vector<std::string> about_indexes() const;
};

// Why no page index can follow the table of this name, and what its owner can do.
Error no_stream(std::string_view table);

// invalid_parameter: the mapping does not fit; says how.
Result<AdoptedTable> fit(Mapping mapping, dynamodb::TableDescription described);

// One request to the table. unavailable: there is no such table, or it cannot be described.
// invalid_parameter: the mapping does not fit it; says how. `beside`: of a page index, which gives
// pages where the mapping's own index is gone: then that is a warning.
Awaitable<Result<AdoptedTable>> describe(dynamodb::TableAccess& access, Mapping mapping,
                                         bool beside = false);

// Asks the table which of the mapping's indexes are being filled, and notes them. On any loop.
Awaitable<Status> look_at_lists(dynamodb::TableAccess& access, const AdoptedTable& table);

// The damage of an item, under a name for people.
dynamodb::Damage damage_of(const AdoptedTable& table, const dynamodb::Item& item,
                           std::string reason);

}  // namespace quire::adopted
