// The page of a product's comments: the values of web/comments.tpl.
#pragma once

#include <ctemplate/template.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "http/html/shown_comment.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// `took` is the text that stands for the time of the query.
void fill_comments(ctemplate::TemplateDictionary& out, const FoundPage& page,
                   const std::vector<ShownComment>& comments, const Query& query,
                   std::string_view took);
// The same template for the page of one comment.
void fill_alone(ctemplate::TemplateDictionary& out, const Comment& comment);

// Shows the time up to which numbers hold, if they may be behind.
void fill_as_of(ctemplate::TemplateDictionary& out, AsOf as_of_ms);

// "2,331".
std::string grouped(std::uint64_t number);
// "2,331 comments", "1 comment", "No comments".
std::string counted(std::uint64_t number, std::string_view noun);

}  // namespace quire::http
