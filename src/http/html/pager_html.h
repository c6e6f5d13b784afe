// The pager of a product's comments: the values of section PAGER of web/comments.tpl.
#pragma once

#include <string>
#include <vector>

#include "http/templates/values.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// `self`: the page's address without parameters.
void fill_pager(Values& out, const FoundPage& page, const Query& query, const std::string& self);

// The numbers that a pager shows: first, last, and those around the present page `number`. 0 stands
// for a gap of at least two numbers.
std::vector<std::uint64_t> pager_numbers(std::uint64_t number, std::uint64_t count);

// The addresses of the neighbouring pages: by number if pages have numbers, else by cursor. Empty
// if there is no such page.
std::string previous_address(const FoundPage& page, const Query& query, const std::string& self);
std::string next_address(const FoundPage& page, const Query& query, const std::string& self);

}  // namespace quire::http
