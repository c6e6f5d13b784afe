// The chosen values above the list, each with a link that removes it: the values of section CHOSEN
// of web/comments.tpl.
#pragma once

#include <string>

#include "http/html/shown_page.h"
#include "http/templates/values.h"

namespace quire::http {

// `self`: the page's address without parameters.
void fill_chosen(Values& out, const ShownPage& page, const std::string& self);

// The query without one parameter of its filter.
Query without(const Query& query, const std::string& name, const std::string& value);

}  // namespace quire::http
