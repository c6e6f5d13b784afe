// Decodes a page of a list straight from the service's answer into documents. Nearly every request
// does this, so it takes no detour over items.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/item.h"
#include "quire/ulid.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {

struct ListEntry {
  Ulid id;
  std::string document;
};

struct ListPage {
  std::vector<ListEntry> entries;
  bool end;                  // the list has no more entries in this direction
  std::optional<Item> last;  // the key to read on after, when there is no entry to read on after
  double consumed = 0;
  std::size_t billed_bytes = 0;      // of the entries
  std::vector<Damage> damaged = {};  // the items left out
};

// Nothing if the body is no answer to a query. Leaves out items that are no comments of `list`.
std::optional<ListPage> decode_list_page(std::string_view body, std::string_view product,
                                         const Cell& list);

}  // namespace quire::dynamodb
