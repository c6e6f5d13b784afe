// The form that filters and sorts: the values of section FILTERS of web/comments.tpl.
#pragma once

#include <ctemplate/template.h>

#include "http/html/shown_page.h"

namespace quire::http {

void fill_filters(ctemplate::TemplateDictionary& out, const ShownPage& page);

}  // namespace quire::http
