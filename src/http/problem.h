// Errors, and requests that may not be made or not now, as RFC 9457 problem details.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"
#include "quire/result.h"

namespace quire::http {

// A kind of problem. Its slug names the page that explains it. The table of kinds is
// web/problems.json.
struct Problem {
  std::string slug;
  std::string title;
  unsigned status;
  std::string text;
};

const std::vector<Problem>& problems();
const Problem* find_problem(std::string_view slug);

// Throws std::logic_error for an unknown slug. `fields` become `errors`.
// `comment`: the id of the comment that stands in the way.
Response problem(std::string_view slug, std::string_view detail, std::string_view parameter = {},
                 const std::vector<FieldError>& fields = {}, std::string_view comment = {});
// Puts the problem's type below the path of the public URL, if the response is a problem.
void put_below(std::string_view path, Response& response);
// An error of the service as a problem, with its headers.
Response problem(const Error& error);
// 503: try again in `wait` seconds.
Response unavailable(std::string_view detail, std::uint64_t wait);
std::string_view slug_of(ErrorCode code);
// The response to bytes that are no valid request, or that exceed a limit; with another status than
// the kind's own.
Response refusal(unsigned status, std::string_view slug, std::string_view detail);

// 401: who sends the request is not known.
Response unauthorized(std::string_view detail);
// 429: of a limit, which allows the next request in `wait` seconds.
Response too_many(std::string_view what, std::uint64_t wait);

}  // namespace quire::http
