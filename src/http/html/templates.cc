#include "http/templates/templates.h"

#include <mutex>

#include "http/assets.h"

namespace quire::http {
namespace {

constexpr std::string_view templates[] = {"head.tpl",     "masthead.tpl", "comments.tpl",
                                          "products.tpl", "problem.tpl",  "feed.tpl"};

// The template library has one cache for the process.
void load() {
  for (auto name : templates) {
    auto text = asset(name);
    ctemplate::StringToTemplateCache(std::string(name), text.data(), text.size(),
                                     ctemplate::STRIP_BLANK_LINES);
  }
}

}  // namespace

std::string fill_template(std::string_view name, const Values& values) {
  static std::once_flag loaded;
  std::call_once(loaded, load);
  std::string out;
  ctemplate::ExpandTemplate(std::string(name), ctemplate::STRIP_BLANK_LINES, &values, &out);
  return out;
}

}  // namespace quire::http
