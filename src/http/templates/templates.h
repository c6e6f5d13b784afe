// The templates under web/.
#pragma once

#include <string>
#include <string_view>

#include "http/templates/values.h"

namespace quire::http {

// Reads all templates, so that a server with a wrong one does not start: see Template::read().
void read_templates();

// `name` is a file's: "comments.tpl". `spare`: an empty string, whose capacity is used.
// Thread-safe.
std::string fill_template(std::string_view name, const Values& values, std::string spare = {});

}  // namespace quire::http
