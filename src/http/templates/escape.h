// How values are escaped in HTML and XML, by their place.
#pragma once

#include <string_view>

#include "http/templates/output.h"

namespace quire::http {

enum class Escape {
  text,      // between tags, and in an attribute
  url,       // the beginning of a URL in an attribute, or all of it
  url_part,  // behind the beginning of a URL
  json,      // JSON in a script element
};

// Whether a link may lead to this URL: it has no scheme, or that is http or https. A link to
// javascript: is a script.
bool may_be_followed(std::string_view url);

// Appends `value` so that it stays within its place. Any bytes are safe as `value`.
//
// - text: & < > " ' become character references.
// - url: the same; a URL that may not be followed becomes "#".
// - url_part: every byte but letters, digits and -._~ is percent-encoded.
// - json: < > & become \u escapes, which are the same JSON, because they are in its strings alone.
//   So no text ends the script element.
void append_escaped(Output& out, std::string_view value, Escape escape);

}  // namespace quire::http
