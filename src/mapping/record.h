// A row of a file that others made, whatever the file is.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace quire {

// A value.
//
// Of CSV: a text for each column of the header. Of JSON: the object, in which DynamoDB's typed
// members are unwrapped. Of XML: the element by local names. An element without attributes and
// child elements is a text; another one is an object of its attributes ("@id"), its children, and
// its own text ("#text"), if that is not blank. Elements of one name are an array.
struct Record {
  boost::json::object members = {};
  // Of XML: the elements around it, outermost first, by name: their attributes, and those of their
  // children that came before it and have no rows within.
  std::vector<std::pair<std::string, boost::json::object>> around = {};
  std::uint64_t line = 0;  // of the file, from 1, in which the row begins
};

}  // namespace quire
