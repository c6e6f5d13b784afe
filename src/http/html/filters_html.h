// The form that filters and sorts: the values of section FILTERS of web/comments.tpl.
#pragma once

#include "http/html/shown_page.h"
#include "http/templates/values.h"

namespace quire::http {

void fill_filters(Values& out, const ShownPage& page);

}  // namespace quire::http
