// Statistics of each attribute in a sample of items. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/item.h"
#include "mapping/columns/columns.h"

namespace quire::adopted {

// An attribute that is a map, or a text of JSON, has a column for each value within it.
Columns columns_of(const std::vector<dynamodb::Item>& items);

// Where a time lies in every value of a column, but for odd ones.
struct TimePlace {
  std::string_view format;  // "iso8601"
  std::string pattern;      // empty: the whole value
};
std::optional<TimePlace> time_place(const Column& column);
// Whether a time lies anywhere in the value.
bool has_lone_time(std::string_view value);
// The times, in ms since 1970, of a column that has a place for them; 0: of an odd value.
std::vector<std::uint64_t> times_of(const Column& column);
// The format of these times as a mapping names it: that by which the texts sort as their times do,
// if there is one.
std::string format_of_times(const Column& column);

}  // namespace quire::adopted
