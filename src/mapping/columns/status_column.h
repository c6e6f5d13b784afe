// Which column of a sample tells whether a comment is shown, and what its values mean. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mapping/columns/columns.h"

namespace quire {

struct StatusValues {
  std::map<std::string, std::string> known;  // the status of each value; "*": of every other
  std::vector<std::string> unknown;          // values of the sample that only "*" has
  std::string fallback;                      // of a record without a value
};

// What the column's values mean, if its name or all of its values are words of a status. Values
// that are not known wait for a moderator: nobody may see what was held elsewhere. Absent: the
// column is no status.
std::optional<StatusValues> status_values(const Column& column);

}  // namespace quire
