// Where what the table answers could go on for ever, it does not.
#pragma once

namespace quire::dynamodb {

inline constexpr int most_pages = 1000;  // of one listing, a megabyte each
inline constexpr int most_rounds = 10;   // of a write that others keep refusing

}  // namespace quire::dynamodb
