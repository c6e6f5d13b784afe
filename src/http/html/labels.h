// The words for facets, their values and numbers on web pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quire/facet.h"
#include "quire/page.h"

namespace quire::http {

// "Page count" for "page_count".
std::string facet_label(std::string_view facet);
// "English", "Portuguese (BR)", "5 stars", "Yes"; other values are shown as they are.
std::string value_label(std::string_view facet, FacetType type, const std::string& value);
// "Newest first", "Highest rated", "Helpful: highest first". `facet`: that of a sort by a number.
std::string sort_label(Sort sort, std::string_view facet);
// "English" for "en"; "Not stated" for "und"; the tag itself where no name is known.
std::string language_label(const std::string& tag);

// "2,331".
std::string grouped(std::uint64_t number);
// "2,331 comments", "1 comment", "No comments".
std::string counted(std::uint64_t number, std::string_view noun);
// "20 November 2024", in UTC.
std::string day_text(std::uint64_t ms);

}  // namespace quire::http
