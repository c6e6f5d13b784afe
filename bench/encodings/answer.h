// Comments as DynamoDB keeps, bills and sends them.
#pragma once

#include "forms.h"
#include "lists.h"

namespace quire::bench {

// Bytes of the index's entry: names and values. https://docs.aws.amazon.com/amazondynamodb/latest/
// developerguide/CapacityUnitCalculations.html
std::size_t entry_bytes(const Form& form, const List& list, const Comment& comment);
// Read units of an eventually consistent query for all of `newest`: half a unit for each 4
// KiB.
double read_units(const Form& form, const List& list);

// The body of the answer to that query.
std::string answer(const Form& form, const List& list);
// The comments in the answer, without the product, which the caller knows.
std::vector<Comment> read_answer(const Form& form, std::string_view body,
                                 const std::string& product);

}  // namespace quire::bench
