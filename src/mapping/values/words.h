// Texts as comments have them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace quire {

// The text without the white space around it, with LF as the end of each line, and without control
// characters that Quire refuses; those that divide lines or pages are a space. `text`: UTF-8.
std::string cleaned(std::string_view text);

// The text without the white space around it.
std::string_view trimmed(std::string_view text);

// What a reader of a part of an HTML document sees, cleaned. Tags are gone, entities are decoded,
// scripts, styles and remarks are dropped. A paragraph has an empty line around it, br and other
// blocks end the line. Where the text has none of these, its own line ends stay.
std::string html_text(std::string_view html);

}  // namespace quire
