// Reads the markup of a template from its beginning, and knows at each place how a value is escaped
// there.
#pragma once

#include <string>
#include <string_view>

#include "http/templates/escape.h"

namespace quire::http {

// HTML and XML as templates write it, so that there is little to know: attributes in double quotes;
// in text no < but that of a tag; no comments, no scripts but those in files and in JSON, no
// styles. Errors are std::invalid_argument, and say what is wrong with the template.
class Context {
 public:
  void read(std::string_view markup);
  // A section begins or ends here. A name of a tag or attribute ends before it.
  void end_name();
  // A value stands here: in text, in an attribute whose value is plain text or a URL, or as the
  // whole of a script that is JSON. Refuses all other places.
  Escape value();

  // Two ways through a template, with and without a section, must lead to the same context.
  bool operator==(const Context&) const = default;
  // Whether this place is text between tags, where a template may end.
  bool complete() const { return in_ == In::text; }

 private:
  enum class In {
    text,
    tag_name,
    behind,   // a name or value of a tag: no other name begins at once
    between,  // names and values of a tag
    attribute_name,
    equals,
    value,  // of an attribute
    declaration,
    script,
  };

  void read(char next);
  void end_attribute();
  void end_tag();

  In in_ = In::text;
  std::string tag_;        // its name, in an end tag with a slash before it
  std::string attribute_;  // its name
  std::string seen_;       // of an attribute's value, where it matters; of the end of a script
  bool json_ = false;      // of a script: it is JSON
};

}  // namespace quire::http
