// How a page was found: the values of section PLAN of web/comments.tpl.
#pragma once

#include "http/templates/values.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// `query`: of the page.
void fill_plan(Values& out, const Explanation& plan, const Query& query);

}  // namespace quire::http
