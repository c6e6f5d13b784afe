// Conditions under which an item is written. Nothing here sends anything.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dynamodb/calls.h"

namespace quire::dynamodb {

// The item is not there.
Expression absent();
// The item still has this number as its `version`; 0: it is not there.
Expression has_version(std::uint64_t version);
// The item still has these attributes with the values they have in `item`, and
// still lacks those that `item` lacks. At most 26 attributes.
Expression unchanged(const Item& item, std::span<const std::string> attributes);

}  // namespace quire::dynamodb
