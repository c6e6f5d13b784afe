// Fills the templates under web/. Values are escaped by their context.
#pragma once


#include <string>
#include <string_view>

namespace quire::http {

// `name` is a file's: "comments.tpl". Thread-safe.
std::string fill_template(std::string_view name, const Values& values);

}  // namespace quire::http
