// Turns the text of a template into steps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/templates/context.h"
#include "http/templates/template.h"

namespace quire::http {

// Reads one template.
class TemplateReader {
 public:
  explicit TemplateReader(const Template::Files& files) : files_(files) {}
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
  void add_text(std::string_view text);
  void open_section(std::string_view name);
  void close_section(std::string_view name);

  const Template::Files& files_;
  std::vector<Step> steps_;
  std::vector<Section> open_;
  std::size_t text_from_ = 0;  // steps before this one are complete
  Context context_;
  int depth_ = 0;  // of files in each other
};

}  // namespace quire::http
