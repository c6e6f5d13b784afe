// A text of JSON as a row.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string_view>

#include "records/reader.h"

namespace quire::records {

// The record, or why it is none. Of members with one name the last counts. A member `quire_reason`
// is left out. The text `quire_row` is read in the row's place.
//
// Members as DynamoDB types them are unwrapped, those of the one member `Item` too, where all of an
// object's are such: {"rating":{"N":"5"}} is {"rating":5}. A number that neither 64 bits nor the
// digits of a double hold is a text.
Row json_row(std::string_view text, std::uint64_t line);

// Whether DynamoDB types all members, of which there are some.
bool is_typed(const boost::json::object& members);

}  // namespace quire::records
