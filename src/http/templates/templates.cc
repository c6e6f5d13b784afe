#include "http/templates/templates.h"

#include <map>

#include "http/assets.h"
#include "http/templates/template.h"

namespace quire::http {
namespace {

const Template& template_of(std::string_view name) {
  static const auto templates = [] {
    std::map<std::string_view, Template> all;
    for (std::string_view each : {"comments.tpl", "products.tpl", "problem.tpl", "feed.tpl"})
      all.emplace(each, Template::read(each, asset));
    return all;
  }();
  return templates.at(name);
}

}  // namespace

void read_templates() {
  template_of("comments.tpl");
}

std::string fill_template(std::string_view name, const Values& values, std::string spare) {
  template_of(name).fill(spare, values);
  return spare;
}

}  // namespace quire::http
