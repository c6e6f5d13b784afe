// The pager of a product's comments: what goes into section PAGER of web/comments.tpl.
#pragma once

#include <ctemplate/template.h>

#include <string>
#include <vector>

#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// `self`: the page's address without a query.
void fill_pager(ctemplate::TemplateDictionary& out, const FoundPage& page, const Query& query,
                const std::string& self);

// The numbers a pager shows: the ends, and those around the present one; 0 stands for a gap, which
// hides at least two.
std::vector<std::uint64_t> pager_numbers(std::uint64_t number, std::uint64_t count);

// Where the pages beside this one are: by number where pages have one, else by cursor. Empty: there
// is none.
std::string previous_address(const FoundPage& page, const Query& query, const std::string& self);
std::string next_address(const FoundPage& page, const Query& query, const std::string& self);

}  // namespace quire::http
