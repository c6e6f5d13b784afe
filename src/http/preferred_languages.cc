#include "http/preferred_languages.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

#include "base/percent.h"
#include "http/parameters.h"
#include "http/quality.h"
#include "http/query.h"

namespace quire::http {
namespace {

constexpr std::string_view automatic = "auto";
constexpr std::size_t max_ranges = 64;  // of a header

struct LanguageRange {
  std::string_view text;
  bool refused;  // its weight is 0
};

std::vector<LanguageRange> ranges_of(std::string_view header) {
  std::vector<LanguageRange> out;
  while (!header.empty() && out.size() < max_ranges) {
    auto parameters = take(header, ',');
    auto text = take(parameters, ';');
    if (!text.empty() && text != "*") out.push_back({text, weight_in(parameters) == 0});
  }
  return out;
}

// "pt" begins "pt" and "pt-BR".
bool begins(std::string_view beginning, std::string_view whole) {
  if (beginning.size() > whole.size()) return false;
  bool at_subtag = beginning.size() == whole.size() || whole[beginning.size()] == '-';
  return at_subtag && boost::beast::iequals(beginning, whole.substr(0, beginning.size()));
}

bool accepts(const std::vector<LanguageRange>& ranges, std::string_view language) {
  const LanguageRange* closest = nullptr;  // the longest that begins the language
  bool begins_a_range = false;
  for (const auto& range : ranges) {
    bool closer = !closest || range.text.size() > closest->text.size();
    if (begins(range.text, language) && closer) closest = &range;
    begins_a_range |= !range.refused && begins(language, range.text);
  }
  return closest ? !closest->refused : begins_a_range;
}

// The request's address, with the query's languages in the place of language=auto.
std::string explicit_address(const Request& request, const Query& query) {
  std::string out(request.target.substr(0, request.target.find('?')));
  char separator = '?';
  auto add = [&](std::string_view name, std::string_view value) {
    out.append(1, separator).append(percent_encode(name)).append("=").append(percent_encode(value));
    separator = '&';
  };
  for (const auto& language : query.languages) add("language", language);
  for (const auto& [name, value] : request.parameters)
    if (name != "language") add(name, value);
  return out;
}

}  // namespace

std::vector<std::string> preferred(std::string_view accept_language,
                                   std::vector<std::string> languages) {
  auto ranges = ranges_of(accept_language);
  std::erase_if(languages, [&](const auto& each) { return !accepts(ranges, each); });
  return languages;
}

Awaitable<Result<bool>> choose_languages(const Comments& comments, const Request& request,
                                         Query& query) {
  auto& wanted = query.languages;
  if (std::find(wanted.begin(), wanted.end(), automatic) == wanted.end()) co_return false;
  if (wanted.size() > 1) {
    co_return invalid("language",
                      "language=auto stands for the languages of Accept-Language. Send it without "
                      "other languages.");
  }
  auto languages = co_await comments.languages(query.product);
  if (!languages) co_return languages.error();
  wanted = preferred(request.list(Field::accept_language), std::move(*languages));
  if (wanted.size() > max_values) wanted.resize(max_values);
  co_return true;
}

void add_choice(Response& response, const Request& request, const Query& query) {
  response.by_language = true;
  response.add("Content-Location", explicit_address(request, query));
}

bool may_choose_languages(std::string_view target) {
  constexpr std::string_view parameter = "language=auto";
  auto query = target.substr(std::min(target.find('?'), target.size()));
  if (query.find('%') == query.npos) return query.find(parameter) != query.npos;
  auto decoded = percent_decode(query);
  return !decoded || decoded->find(parameter) != decoded->npos;
}

}  // namespace quire::http
