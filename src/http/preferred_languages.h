// language=auto: the languages that the client prefers, as far as the product has comments in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"
#include "loop/awaitable.h"
#include "quire/page.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire::http {

// Those of `languages` that an Accept-Language header accepts (RFC 9110, 12.5.4), in their order. A
// range accepts the languages that it is the beginning of, as "pt" does "pt-BR" (RFC 4647, 3.3.1);
// where no range is the beginning of a language, the language is accepted if it is the beginning of
// a range, as "pt" is of "pt-PT" (3.4). "*" names no language. At most the first 64 ranges count.
std::vector<std::string> preferred(std::string_view accept_language,
                                   std::vector<std::string> languages);

// Puts the client's languages in the place of language=auto; none, which is any, if the product has
// comments in none of them. Returns whether language=auto was there. invalid_parameter: it is not
// the only language.
Awaitable<Result<bool>> choose_languages(const Comments& comments, const Request& request,
                                         Query& query);

// Makes the response say that the request's Accept-Language chose it, and under which address the
// same response is whoever asks (Content-Location).
void add_choice(Response& response, const Request& request, const Query& query);

// Whether a target may have language=auto, in any encoding; most that have not are told.
bool may_choose_languages(std::string_view target);

}  // namespace quire::http
