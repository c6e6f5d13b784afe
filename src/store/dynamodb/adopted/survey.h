// A first mapping for a table that others made, from a sample of its items. Pure.
#pragma once

#include <string>
#include <vector>

#include "dynamodb/item.h"
#include "store/dynamodb/provision/table.h"

namespace quire::adopted {

// How many items the sample has at most.
inline constexpr std::size_t sample_items = 2000;

// The text of a mapping, after remarks that an empty line ends. It fits the sample as well as names
// and values can tell: the remarks say how many items are comments by it, and what is left to
// decide.
std::string propose_mapping(const dynamodb::TableDescription& table,
                            const std::vector<dynamodb::Item>& sample);

}  // namespace quire::adopted
