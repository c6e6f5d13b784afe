// Templates of HTML and XML: text with values, which are escaped by their place.
//
//   {{NAME}}             the text of a value; nothing if there is none
//   {{#NAME}}…{{/NAME}}  a section: once for each of its rows; of a text once, if it is not empty
//   {{>file.tpl}}        another template, which sees the same values
//   {{:name}}            a text in the page's language; its places {NAME} are values, isolated by
//   bdi
//   {{! … }}             a comment
//
// A line with nothing but a section, a file or a comment is no line of the output. The syntax is
// Mustache's.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "http/templates/context.h"
#include "http/templates/escape.h"
#include "http/templates/output.h"
#include "http/templates/values.h"
#include "texts/texts.h"

namespace quire::http {

// Thread-safe.
class Template {
 public:
  using Files = std::function<std::string_view(std::string_view name)>;

  // Reads the file `name` and those that it includes. `texts`: null: it has no texts. Throws
  // std::invalid_argument with the place of the error where a template is wrong, where a value
  // cannot be escaped (see Context), or where there is no such text.
  static Template read(std::string_view name, const Files& files,
                       const texts::Texts* texts = nullptr);

  // The template with these values. `spare`: an empty string, whose capacity is used.
  std::string fill(const Values& values, std::string spare = {}) const;

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

  void fill(Output& out, const Values& values, std::size_t from, std::size_t to) const;

  std::vector<Step> steps_;
};

// All templates in one language. Thread-safe.
class Templates {
 public:
  // Throws as Template::read() does.
  explicit Templates(const texts::Texts& texts);
  // `name` is a file's: "comments.tpl". `spare`: see Template::fill().
  std::string fill(std::string_view name, const Values& values, std::string spare = {}) const;

 private:
  std::map<std::string_view, Template> all_;
};

// Reads one template.
class TemplateReader {
 public:
  TemplateReader(const Template::Files& files, const texts::Texts* texts)
      : files_(files), texts_(texts) {}
  // See Template::read().
  Template read(std::string_view name);

 private:
  using Step = Template::Step;
  struct Section {
    std::size_t step;
    std::string_view name;
    Context before;
  };

  void read_file(std::string_view name);
  void add_marker(std::string_view marker);
  void add_value(std::string_view name);
  void add_words(std::string_view name);
  void add_text(std::string_view text);
  void open_section(std::string_view name);
  void close_section(std::string_view name);

  const Template::Files& files_;
  const texts::Texts* texts_;
  std::vector<Step> steps_;
  std::vector<Section> open_;
  std::size_t text_from_ = 0;  // steps before this one are complete
  Context context_;
  int depth_ = 0;  // of files in each other
};

}  // namespace quire::http
