// How the times of a column are written, as far as its values tell. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/columns/columns.h"

namespace quire {

struct WrittenTimes {
  std::vector<std::string> formats = {};  // of a mapping; empty: ISO 8601, which needs none
  std::string other = {};  // not empty: this fits as well as the first format, as in 03/04/2025
  bool clock = false;      // times have hours
  bool zone = false;       // times name an offset, or are numbers since 1970
};

// Absent: less than three quarters of the values are times.
std::optional<WrittenTimes> written_times(const Column& column);

}  // namespace quire
