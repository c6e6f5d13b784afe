// What search engines and feed readers are told: what goes into web/head.tpl for a product's page.
#pragma once

#include <ctemplate/template.h>

#include <string>

#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// Each page of the list of all is its own canonical address; views that filter or sort it otherwise
// are not to be indexed, and name the list. Without an origin nothing is said of addresses.
void fill_head(ctemplate::TemplateDictionary& head, const FoundPage& page, const Query& query,
               const std::string& origin);

}  // namespace quire::http
