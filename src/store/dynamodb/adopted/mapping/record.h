// Items as records, so that a mapping reads them as it reads the rows of files. Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "dynamodb/item.h"
#include "mapping/record.h"

namespace quire::adopted {

// Whether a path leads to an attribute of an item, or into it.
bool leads_to(std::string_view path, std::string_view attribute);

// Values are without the types of the service. A number with more digits than a number of JSON
// keeps is a text.
Record record_of(const dynamodb::Item& item);
// Has the attributes alone to which one of the paths leads.
Record record_of(const dynamodb::Item& item, const std::set<std::string>& paths);

}  // namespace quire::adopted
