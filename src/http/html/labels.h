// The words for facets, their values and sorts on web pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quire/comment.h"
#include "quire/facet.h"
#include "quire/page.h"
#include "texts/texts.h"

namespace quire::http {

using texts::Texts;

// The text facet_NAME; else "Page count" for "page_count".
std::string facet_label(const Texts& texts, std::string_view facet);
// "English", "Germany", "5 stars", "Yes"; other values are shown as they are.
std::string value_label(const Texts& texts, std::string_view facet, FacetType type,
                        const std::string& value);
// "1,204", also below zero.
std::string number_label(const Texts& texts, std::int64_t number);
// The attribute that counts whom a comment helped, and its value; 0 without one.
inline constexpr std::string_view helpful_name = "helpful";
std::uint64_t helpful_of(const Comment& comment);
// "Reply from Ann"; "Reply from the shop" where the author is empty.
std::string reply_label(const Texts& texts, const std::string& author);
// "Newest first", "Highest rated", "Most helpful first", "Pages: highest first". `facet`: that of a
// sort by a number.
std::string sort_label(const Texts& texts, Sort sort, std::string_view facet);

}  // namespace quire::http
