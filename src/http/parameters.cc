#include "http/parameters.h"

#include <algorithm>
#include <boost/url.hpp>
#include <charconv>
#include <limits>

#include "base/limits.h"
#include "base/percent.h"

namespace quire::http {
namespace {

namespace urls = boost::urls;

constexpr std::size_t max_languages = 50;

Error invalid(std::string_view parameter, std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), std::string(parameter)};
}

struct SortName {
  std::string_view text;
  Sort sort;
};
constexpr SortName sorts[] = {{"-created_at", Sort::newest},
                              {"created_at", Sort::oldest},
                              {"-rating", Sort::highest},
                              {"rating", Sort::lowest}};

std::optional<Sort> parse_sort(std::string_view text) {
  for (const auto& [name, sort] : sorts) {
    if (name == text) return sort;
  }
  return {};
}

// Drops repeated values, so that addresses in responses have each value once.
template <class T>
void add_once(std::vector<T>& values, const T& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

// Sets the member of the query that this parameter stands for; other parameters change nothing.
std::optional<Error> take(Query& query, const std::string& name, const std::string& value) {
  if (name == "language") {
    if (query.languages.size() == max_languages)
      return invalid(name, "At most 50 languages may be asked for at once.");
    add_once(query.languages, value);
  } else if (name == "rating") {
    auto rating = number(name, value, 1, 5);
    if (!rating) return rating.error();
    add_once(query.ratings, static_cast<int>(*rating));
  } else if (name == "limit") {
    auto limit = number(name, value, 1, limits::page_max);
    if (!limit) return limit.error();
    query.limit = *limit;
  } else if (name == "sort") {
    auto sort = parse_sort(value);
    if (!sort)
      return invalid(name,
                     "sort is -created_at (newest first), created_at (oldest first), -rating "
                     "(best first) or rating (worst first).");
    query.sort = *sort;
  } else if (name == "page") {
    auto page = number(name, value, 1, std::numeric_limits<std::int64_t>::max());
    if (!page) return invalid(name, "page is a whole number from 1.");
    query.page = *page;
  } else if (name == "after") {
    query.after = value;
  } else if (name == "before") {
    query.before = value;
  } else if (name == "explain") {
    if (value != "true" && value != "false") return invalid(name, "explain is true or false.");
    query.explain = value == "true";
  }
  return {};
}

// Decodes a text as forms send it: a plus is a space. Most texts contain neither plus nor percent
// sign and are only copied.
std::string decoded(urls::pct_string_view text) {
  if (text.decoded_size() == text.size() && text.find('+') == text.npos) return std::string(text);
  urls::encoding_opts form(true);
  return text.decode(form);
}

}  // namespace

std::optional<Error> parse_target(Request& request) {
  auto parsed = request.target.starts_with('/') ? urls::parse_origin_form(request.target)
                                                : urls::parse_uri(request.target);
  bool web = parsed && (!parsed->has_scheme() || parsed->scheme_id() == urls::scheme::http ||
                        parsed->scheme_id() == urls::scheme::https);
  if (!web || parsed->has_authority() != parsed->has_scheme()) {
    return Error{
        ErrorCode::invalid_parameter,
        "The address is not a valid URL. Percent-encode what is not a letter, digit or -._~."};
  }
  if (parsed->has_authority()) {
    auto whole = parsed->encoded_authority();
    request.authority = {whole.data(), whole.size()};
  }
  for (auto segment : parsed->segments()) request.segments.push_back(segment);
  for (auto part : parsed->encoded_params()) {
    bool stray = part.key.empty() && !part.has_value;  // "?" or "&" with nothing after it
    if (!stray) request.parameters.emplace_back(decoded(part.key), decoded(part.value));
  }
  return {};
}

std::optional<Error> allow_only(const Request& request,
                                std::initializer_list<std::string_view> allowed) {
  for (auto at = request.parameters.begin(); at != request.parameters.end(); ++at) {
    const auto& name = at->first;
    if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
      std::string message = "There is no such parameter here.";
      if (allowed.size() > 0) {
        message += " There are:";
        for (auto each : allowed) message.append(" ").append(each);
        message += ".";
      }
      return invalid(name, message);
    }
    bool repeatable = name == "language" || name == "rating";
    auto same = [&](const auto& other) { return other.first == name; };
    if (!repeatable && std::any_of(request.parameters.begin(), at, same)) {
      return invalid(name, "This parameter may be given once.");
    }
  }
  return {};
}

std::optional<std::string_view> parameter(const Request& request, std::string_view name) {
  for (const auto& [key, value] : request.parameters) {
    if (key == name) return value;
  }
  return {};
}

Result<std::size_t> number(std::string_view name, std::string_view text, std::size_t min,
                           std::size_t max) {
  std::size_t value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size() || value < min || value > max) {
    return invalid(name, std::string(name) + " is a whole number from " + std::to_string(min) +
                             " to " + std::to_string(max) + ".");
  }
  return value;
}

Result<Query> page_query(const Request& request, std::string product) {
  auto query = filter_query(
      request, {"language", "rating", "limit", "sort", "page", "after", "before", "explain"});
  if (query) query->product = std::move(product);
  return query;
}

Result<Query> filter_query(const Request& request,
                           std::initializer_list<std::string_view> allowed) {
  if (auto error = allow_only(request, allowed)) return std::move(*error);
  Query query;
  for (const auto& [name, value] : request.parameters) {
    if (auto error = take(query, name, value)) return std::move(*error);
  }
  return query;
}

std::string_view sort_text(Sort sort) {
  return std::find_if(std::begin(sorts), std::end(sorts),
                      [&](const SortName& row) { return row.sort == sort; })
      ->text;
}

std::string_view leaders_text(Leaders leaders) {
  return leaders == Leaders::five_star ? "five_star" : "average";
}

std::optional<Leaders> parse_leaders(std::string_view text) {
  for (auto leaders : {Leaders::five_star, Leaders::average}) {
    if (text == leaders_text(leaders)) return leaders;
  }
  return {};
}

std::string page_address(std::string_view base, const Query& query, std::string_view position) {
  std::string out(base);
  char separator = '?';
  auto add = [&](std::string_view name, std::string_view value) {
    out += separator;
    out.append(name).append("=").append(value);
    separator = '&';
  };
  for (const auto& language : query.languages) add("language", percent_encode(language));
  for (int rating : query.ratings) add("rating", std::to_string(rating));
  if (query.limit != limits::page_default) add("limit", std::to_string(query.limit));
  if (query.sort != Sort::newest) add("sort", sort_text(query.sort));
  if (!position.empty()) {
    out += separator;
    out += position;
  }
  return out;
}

std::string numbered_address(std::string_view base, const Query& query, std::uint64_t number) {
  return page_address(base, query, number == 1 ? "" : "page=" + std::to_string(number));
}

Result<Ulid> parse_id(const std::string& text) {
  if (auto id = Ulid::parse(text)) return *id;
  return Error{
      ErrorCode::not_found,
      "There is no such comment: an id is 26 characters, as in 01JD5ZK3V8Q6W3N0A9B7C5D2EF."};
}

}  // namespace quire::http
