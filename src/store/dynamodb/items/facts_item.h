// The item of what the shop tells of a product. Format: docs/formats/table.md
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/item.h"
#include "product/facts.h"

namespace quire::dynamodb {

// The partition of the index `all` that has the facts of all products, by product.
inline constexpr std::string_view facts_partition = "FACTS";

Item facts_key(std::string_view product);
Item facts_item(const NamedFacts& named);
// Whether its key is that of facts, and it was not set aside.
bool is_facts(const Item& item);
// Absent: it is another item, or a damaged one.
std::optional<NamedFacts> facts_in(const Item& item);
// Where a read of the index goes on after this product.
Item facts_start(const std::string& product);

}  // namespace quire::dynamodb
