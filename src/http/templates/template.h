// Templates of HTML and XML: text with values, which are escaped by their place.
//
//   {{NAME}}             the text of a value; nothing if there is none
//   {{#NAME}}…{{/NAME}}  a section: once for each of its rows; of a text once, if it is not empty
//   {{>file.tpl}}        another template, which sees the same values
//   {{! … }}             a comment
//
// A line with nothing but one of the last four is no line of the output. The syntax is Mustache's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "http/templates/escape.h"
#include "http/templates/values.h"

namespace quire::http {

// Thread-safe.
class Template {
 public:
  using Files = std::function<std::string_view(std::string_view name)>;

  // Reads the file `name` and those that it includes. Throws std::invalid_argument with the place
  // of the error where a template is wrong, or where a value cannot be escaped: see Context.
  static Template read(std::string_view name, const Files& files);

  // Appends the template with these values.
  void fill(std::string& out, const Values& values) const { fill(out, values, 0, steps_.size()); }

 private:
  friend class TemplateReader;

  struct Step {
    enum class Kind { text, value, section };
    Kind kind;
    std::string text = {};         // as it is
    Name name = Name("");          // of the value or section
    Escape escape = Escape::text;  // of the value
    std::size_t end = 0;           // of the section: the step behind it
  };

  void fill(std::string& out, const Values& values, std::size_t from, std::size_t to) const;

  std::vector<Step> steps_;
};

}  // namespace quire::http
