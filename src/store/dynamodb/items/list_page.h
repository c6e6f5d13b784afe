// Pages read from a list: the service's answer becomes documents at once. It is what nearly every
// request does, so it takes no detour over items.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/item.h"
#include "quire/ulid.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {

struct Listed {
  Ulid id;
  std::string document;
};

struct ListAnswer {
  std::vector<Listed> entries;
  bool end;                  // the list has no more in this direction
  std::optional<Item> last;  // where to go on, when there is no entry that tells
  double consumed = 0;
  std::size_t billed_bytes = 0;      // of the entries
  std::vector<Damage> damaged = {};  // items that are left out
};

// Nothing if the body is no answer to a query. An item that is no comment of `list` is left out.
std::optional<ListAnswer> decode_list(std::string_view body, std::string_view product,
                                      const Cell& list);

}  // namespace quire::dynamodb
