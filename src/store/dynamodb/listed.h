// Pages read from a list: the service's answer becomes documents at once. It is what nearly every
// request does, so it takes no detour over items.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/item.h"
#include "quire/ulid.h"

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
  std::size_t billed_bytes = 0;  // of the entries
};

// Nothing if the body is no answer to a query, or holds what is no comment of the product.
std::optional<ListAnswer> decode_list(std::string_view body, std::string_view product);

}  // namespace quire::dynamodb
