// Language tags under the codes that are used today.
#pragma once

#include <string>

namespace quire {

// The tag that stands for the same language, script and region in Unicode's CLDR: "he" of "iw",
// "en" of "eng", "en-GB" of "en-UK"; the tag itself where that is its only one. `tag`: a language,
// and perhaps a script and a region, in their usual case, with hyphens. Each form always gives the
// same, and what it gives gives itself. Thread-safe.
// https://unicode.org/reports/tr35/#LocaleId_Canonicalization
std::string present_tag(const std::string& tag);

// Whether the language, the script and the region of such a tag are known to CLDR: they have names
// in English, or the language has a usual script. Some 1,700 languages are known. Thread-safe.
bool is_known_tag(const std::string& tag);

}  // namespace quire
