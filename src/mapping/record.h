// A row of a file that others made, whatever the file is.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace quire {

// Elements of XML around a row, outermost first, by name: their attributes, and those of their
// children that came before the row and have no rows within.
using Surroundings = std::vector<std::pair<std::string, boost::json::object>>;

// A value.
//
// Of CSV: a text for each column of the header. Of JSON: the object, in which DynamoDB's typed
// members are unwrapped. Of XML: the element by local names. An element without attributes and
// child elements is a text; another one is an object of its attributes ("@id"), its children, and
// its own text ("#text"), if that is not blank. Elements of one name are an array.
struct Record {
  boost::json::object members = {};
  // The rows of an element share it. Null: nothing is around.
  std::shared_ptr<const Surroundings> around = {};
  std::uint64_t line = 0;  // of the file, from 1, in which the row begins
};

}  // namespace quire
