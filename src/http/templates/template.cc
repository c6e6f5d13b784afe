#include "http/templates/template.h"

#include "http/templates/template_reader.h"

namespace quire::http {

Template Template::read(std::string_view name, const Files& files) {
  return TemplateReader(files).read(name);
}

void Template::fill(std::string& out, const Values& values, std::size_t from,
                    std::size_t to) const {
  for (auto at = from; at < to; ++at) {
    const Step& step = steps_[at];
    if (step.kind == Step::Kind::text) {
      out += step.text;
      continue;
    }
    const auto* found = values.find(step.name);
    if (step.kind == Step::Kind::value) {
      if (found) append_escaped(out, found->text, step.escape);
      continue;
    }
    if (found && !found->text.empty()) fill(out, values, at + 1, step.end);
    for (const auto* row = found ? found->rows : nullptr; row; row = row->next_)
      fill(out, *row, at + 1, step.end);
    at = step.end - 1;
  }
}

}  // namespace quire::http
