// The templates under web/: filled in, and escaped by context.
#pragma once

#include <ctemplate/template.h>

#include <string>
#include <string_view>

namespace quire::http {

// `name`: of the file, "comments.tpl". Thread-safe.
std::string fill_template(std::string_view name, const ctemplate::TemplateDictionary& values);

}  // namespace quire::http
