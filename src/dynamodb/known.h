// What a cache of the table's items knows, and what it took to learn it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace quire::dynamodb {

template <class T>
struct Known {
  std::shared_ptr<const T> value;
  double consumed = 0;  // read units, if the value was read by this call
  // The value has all that was written before this time, in ms since 1970: by Quire, where its
  // writes keep the value. Absent: it is not known.
  std::optional<std::uint64_t> as_of_ms = {};
};

}  // namespace quire::dynamodb
