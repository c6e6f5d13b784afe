// The order of names and their beginnings as people see them, by ICU: whatever the language of the
// names is. Both functions are thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace quire::texts {

// Keys compare by bytes as names do: "apple" before "Banana", "Ähre" before "Zebra", "product-2"
// before "product-10". Names that differ in bytes alone may have the same key. The order is that of
// the root of CLDR, with digits by value: https://www.unicode.org/reports/tr10/.
std::string order_key(std::string_view name);

// Without case, and without the accents of Latin, Greek and Cyrillic letters: "ÜBER" and "uber" are
// the same then.
std::string folded(std::string_view text);

}  // namespace quire::texts
