#include "http/parameters.h"

#include <algorithm>
#include <boost/url.hpp>

#include "base/text.h"
#include "http/accept.h"

namespace quire::http {
namespace {

namespace urls = boost::urls;

// Decodes a text as forms send it: a plus is a space. Most texts contain neither plus nor percent
// sign and are only copied.
std::string decoded(urls::pct_string_view text) {
  if (text.decoded_size() == text.size() && text.find('+') == text.npos) return std::string(text);
  urls::encoding_opts form(true);
  return text.decode(form);
}

// That a path and a query have as they are. Brackets are not among them: generated clients send
// those in queries, and browsers in paths.
constexpr auto path_characters = urls::pchars + '/';
constexpr auto query_characters = path_characters + '?';

}  // namespace

std::string with_encoded_characters(std::string_view target) {
  constexpr auto& hex = urls::grammar::hexdig_chars;
  // An absolute form keeps its authority, in which brackets have a meaning.
  auto begin = target.starts_with('/') ? 0 : target.find_first_of("/?", target.find("://") + 3);
  begin = std::min(begin, target.size());
  std::string out(target.substr(0, begin));
  bool in_query = false;
  for (auto at = begin; at < target.size(); ++at) {
    char c = target[at];
    if (c == '#' && in_query) break;
    bool escape = c == '%' && at + 2 < target.size() && hex(target[at + 1]) && hex(target[at + 2]);
    bool begins_query = c == '?' && !in_query;
    bool plain = in_query ? query_characters(c) : path_characters(c) || c == '#' || c == '%';
    if (escape || begins_query || plain)
      out += c;
    else
      append_percent_encoded(out, target.substr(at, 1));
    in_query |= begins_query;
  }
  return out;
}

std::string_view filter_member(std::string_view name) {
  constexpr std::string_view object = "filter[";
  if (!name.starts_with(object) || !name.ends_with(']')) return {};
  return name.substr(object.size(), name.size() - object.size() - 1);
}

Error invalid(std::string_view parameter, std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), std::string(parameter)};
}

std::string without_secrets(std::string_view target) {
  auto query = std::min(target.find('?'), target.size());
  std::string out(target.substr(0, query));
  for (auto rest = target.substr(query); !rest.empty();) {
    auto pair = rest.substr(0, std::min(rest.find_first_of("&#", 1), rest.size()));
    rest.remove_prefix(pair.size());
    auto name = pair.substr(1, std::min(pair.find('='), pair.size()) - 1);
    auto escaped = urls::make_pct_string_view(name);
    auto whole = escaped ? decoded(*escaped) : std::string(name);
    auto member = filter_member(whole);
    auto plain = member.empty() ? whole : member;
    bool secret = plain == "ticket" || plain == "token" || plain == "secret";
    out += secret ? pair.substr(0, 1 + name.size()) : pair;
    if (secret) out += "=*";
  }
  return out;
}

// A path with a fragment is refused: a target has none (RFC 9112, 3.2). With one, Boost.URL 1.81
// counts two parameters in an empty query, and reads beyond the text.
Status parse_target(Request& request) {
  auto target = with_encoded_characters(request.target);
  auto parsed =
      target.starts_with('/') ? urls::parse_origin_form(target) : urls::parse_absolute_uri(target);
  bool web = parsed && (!parsed->has_scheme() || parsed->scheme_id() == urls::scheme::http ||
                        parsed->scheme_id() == urls::scheme::https);
  if (!web || parsed->has_authority() != parsed->has_scheme()) {
    return Error{
        ErrorCode::invalid_parameter,
        "The address is not a valid URL. Percent-encode what is not a letter, digit or -._~."};
  }
  if (parsed->has_authority()) {
    auto whole = parsed->encoded_authority();
    auto begin = static_cast<std::size_t>(whole.data() - target.data());
    request.authority = request.target.substr(begin, whole.size());
  }
  for (auto segment : parsed->segments()) request.segments.push_back(segment);
  for (auto part : parsed->encoded_params()) {
    bool stray = part.key.empty() && !part.has_value;  // "?" or "&" with nothing after it
    if (!stray) request.parameters.emplace_back(decoded(part.key), decoded(part.value));
  }
  return Done{};
}

Parameters form_of(std::string_view body) {
  Parameters fields;
  auto parsed = urls::parse_query(body);
  if (!parsed) return fields;
  for (auto part : *parsed) fields.emplace_back(decoded(part.key), decoded(part.value));
  return fields;
}

std::string_view text_of(const Parameters& form, std::string_view name) {
  for (const auto& [key, value] : form)
    if (key == name) return value;
  return {};
}

// Word processors end lines in other ways, and browsers send a pasted text as it is. Puts `end` in
// the place of each: line tabulation, form feed, next line, line separator, paragraph separator.
std::string with_lines(std::string_view text, std::string_view end) {
  std::string out(text);
  for (std::string_view each : {"\v", "\f", "\u0085", "\u2028", "\u2029"})
    for (auto at = out.find(each); at != out.npos; at = out.find(each, at + end.size()))
      out.replace(at, each.size(), end);
  return std::string(trimmed(out));
}

Error unknown_parameter(std::string_view name, Names allowed) {
  std::string message = "There is no such parameter here.";
  if (allowed.size() > 0) {
    message += " There are:";
    for (auto each : allowed) message.append(" ").append(each);
    message += ".";
  }
  return invalid(name, message);
}

Status allow_only(const Request& request, Names allowed, IsRepeatable is_repeatable) {
  for (auto at = request.parameters.begin(); at != request.parameters.end(); ++at) {
    const auto& name = at->first;
    if (is_repeatable && is_repeatable(name)) continue;
    if (std::find(allowed.begin(), allowed.end(), name) == allowed.end())
      return unknown_parameter(name, allowed);
    auto same = [&](const auto& other) { return other.first == name; };
    if (std::any_of(request.parameters.begin(), at, same))
      return invalid(name, "This parameter may be given once.");
  }
  return Done{};
}

std::optional<std::string_view> parameter(const Request& request, std::string_view name) {
  for (const auto& [key, value] : request.parameters) {
    if (key == name) return value;
  }
  return {};
}

Result<bool> flag(const Request& request, std::string_view name) {
  auto value = parameter(request, name).value_or("false");
  if (value == "true" || value == "false") return value == "true";
  return invalid(name, std::string(name) + " is true or false.");
}

Result<std::size_t> number(std::string_view name, std::string_view text, std::size_t min,
                           std::size_t max) {
  auto value = parse_integer<std::size_t>(text);
  if (!value || *value < min || *value > max) {
    return invalid(name, std::string(name) + " is a whole number from " + std::to_string(min) +
                             " to " + std::to_string(max) + ".");
  }
  return *value;
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

Result<Ulid> parse_id(const std::string& text) {
  if (auto id = Ulid::parse(text)) return *id;
  return Error{
      ErrorCode::not_found,
      "There is no such comment: an id is 26 characters, as in 01JD5ZK3V8Q6W3N0A9B7C5D2EF."};
}

}  // namespace quire::http
