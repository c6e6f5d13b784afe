#include "http/accept.h"

#include <boost/beast/core/string.hpp>

#include <algorithm>

#include "base/text.h"
#include "base/try.h"
#include "http/parameters.h"
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
  bool asked = std::any_of(request.parameters.begin(), request.parameters.end(),
                           [](const auto& each) { return each.first == "language"; });
  if (!asked && query.languages.empty()) add("language", any_language);
  for (const auto& [name, value] : request.parameters)
    if (name != "language") add(name, value);
  return out;
}

// Whether a query as it was sent, with its question mark, has one of these parameters.
bool names_one_of(std::string_view query, Names names) {
  if (!query.empty()) query.remove_prefix(1);
  while (!query.empty()) {
    auto parameter = take(query, '&');
    auto name = parameter.substr(0, parameter.find('='));
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  }
  return false;
}

using boost::beast::iequals;

// How exactly a range names the type; 0: it does not.
int match(std::string_view range, std::string_view type) {
  if (iequals(range, type)) return 3;
  auto family = type.substr(0, type.find('/') + 1);
  if (range.ends_with("/*") && iequals(range.substr(0, range.size() - 1), family)) return 2;
  return range == "*/*" ? 1 : 0;
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
  CO_TRY(auto languages, co_await comments.languages(query.product));
  wanted = preferred(request.joined_lines(Field::accept_language), std::move(languages));
  if (wanted.size() > max_values) wanted.resize(max_values);
  co_return true;
}

Awaitable<Result<bool>> choose_own_languages(const Comments& comments, const Request& request,
                                             Query& query) {
  CO_TRY(auto languages, co_await comments.languages(query.product));
  auto own = preferred(request.joined_lines(Field::accept_language), languages);
  if (own.size() < languages.size() && own.size() <= max_values) query.languages = std::move(own);
  co_return true;
}

void add_choice(Response& response, const Request& request, const Query& query) {
  response.by_language = response.comments_by_language = true;
  response.add("Content-Location", explicit_address(request, query));
}

bool may_choose_languages(std::string_view target, bool own) {
  constexpr std::string_view parameter = "language=auto";
  auto query = target.substr(std::min(target.find('?'), target.size()));
  auto path = target.substr(0, target.size() - query.size());
  // Other parameters are a filter's, or are ignored.
  if (own && path.find("/products/") != path.npos && !names_one_of(query, page_parameters))
    return true;
  if (query.find('%') == query.npos) return query.find(parameter) != query.npos;
  auto decoded = percent_decode(query);
  return !decoded || decoded->find(parameter) != decoded->npos;
}

std::string_view trimmed(std::string_view text) {
  auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string_view take(std::string_view& text, char separator) {
  auto end = std::min(text.find(separator), text.size());
  auto part = trimmed(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::optional<int> quality(std::string_view text) {
  bool one = text.starts_with('1');
  if (!one && !text.starts_with('0')) return {};
  int thousandths = one ? 1000 : 0;
  text.remove_prefix(1);
  if (text.empty()) return thousandths;
  if (text.front() != '.' || text.size() > 4) return {};
  int unit = 100;
  for (char digit : text.substr(1)) {
    if (digit < '0' || digit > (one ? '0' : '9')) return {};
    thousandths += unit * (digit - '0');
    unit /= 10;
  }
  return thousandths;
}

int weight_in(std::string_view parameters) {
  while (!parameters.empty()) {
    auto each = take(parameters, ';');
    if (each.starts_with("q=") || each.starts_with("Q="))
      return quality(each.substr(2)).value_or(0);
  }
  return whole_weight;
}

int weight(std::string_view accept, std::string_view type) {
  if (trimmed(accept).empty()) return whole_weight;
  int best = 0, out = 0;
  while (!accept.empty()) {
    auto parameters = take(accept, ',');
    auto range = take(parameters, ';');
    int found = match(range, type);
    if (found <= best) continue;
    best = found;
    out = weight_in(parameters);
  }
  return out;
}

bool prefers_html(std::string_view accept) {
  return weight(accept, "text/html") >
         std::max(weight(accept, "application/problem+json"), weight(accept, "application/json"));
}

}  // namespace quire::http
