// The indexes of a first mapping: those by whose keys pages can be read. Pure.
#pragma once

#include <string>
#include <vector>

#include "store/dynamodb/adopted/mapping/mapping.h"
#include "store/dynamodb/provision/table.h"

namespace quire::adopted {

KeyNames key_names(const dynamodb::TableDescription& table);

// The lines of the mapping, or a remark why there are none; empty: no index has all comments by
// time. `product`, `time`: the attributes of the comments' products and times.
std::string propose_indexes(const Mapping& mapping, const dynamodb::TableDescription& table,
                            const std::vector<dynamodb::Item>& comments, const std::string& product,
                            const std::string& time);

}  // namespace quire::adopted
