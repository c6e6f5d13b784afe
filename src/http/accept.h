// What a client prefers, from the headers of its request (RFC 9110, 12.4.2 and 12.5.1).
#pragma once

#include <optional>
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

// The same for the page of a product whose address asks for nothing, as it begins where the shop
// file has visitor_language. All languages of the product are the same as none.
Awaitable<Result<bool>> choose_own_languages(const Comments& comments, const Request& request,
                                             Query& query);

// Makes the response say that the request's Accept-Language chose it, and under which address the
// same response is whoever asks (Content-Location).
void add_choice(Response& response, const Request& request, const Query& query);

// Whether a target may have language=auto, in any encoding; it may be true of a few that have not.
// `own`: the same for choose_own_languages().
bool may_choose_languages(std::string_view target, bool own);

// The parts of Accept headers and their weights (RFC 9110, 12.4.2).
constexpr int whole_weight = 1000;

std::string_view trimmed(std::string_view text);

// Removes the part before the separator from the text, and returns it without spaces around it.
std::string_view take(std::string_view& text, char separator);

// A weight in thousandths: "0.5" is 500. Absent: it is none. At most three digits follow the point.
std::optional<int> quality(std::string_view text);

// The weight among a range's parameters, "q=0.5"; 1000 where there is none. A malformed weight
// takes the range away: 0.
int weight_in(std::string_view parameters);

// The weight, 0 to 1000, that an Accept header gives a media type such as "text/html": that of the
// most specific range that names it. 0: the client does not want it. An empty header takes all.
int weight(std::string_view accept, std::string_view type);

// Whether a web page suits the client better than JSON, as it does browsers.
bool prefers_html(std::string_view accept);

}  // namespace quire::http
