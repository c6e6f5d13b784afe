#include "http/accept.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <optional>

namespace quire::http {
namespace {

using boost::beast::iequals;

constexpr int whole = 1000;

std::string_view trimmed(std::string_view text) {
  auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Takes the text up to the separator off the front of `rest`.
std::string_view take(std::string_view& rest, char separator) {
  auto end = std::min(rest.find(separator), rest.size());
  auto out = trimmed(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return out;
}

// "1", "0.8", "0.125" in thousandths. Absent: it is no weight.
std::optional<int> thousandths(std::string_view text) {
  if (text.empty() || text.size() > 5 || text[0] < '0' || text[0] > '1') return {};
  if (text.size() > 1 && text[1] != '.') return {};
  int out = (text[0] - '0') * whole;
  int place = whole / 10;
  for (std::size_t i = 2; i < text.size(); ++i, place /= 10) {
    if (text[i] < '0' || text[i] > '9') return {};
    out += (text[i] - '0') * place;
  }
  return std::min(out, whole);
}

// How exactly a range names the type; 0: it does not.
int match(std::string_view range, std::string_view type) {
  if (iequals(range, type)) return 3;
  auto family = type.substr(0, type.find('/') + 1);
  if (range.ends_with("/*") && iequals(range.substr(0, range.size() - 1), family)) return 2;
  return range == "*/*" ? 1 : 0;
}

// The weight among a range's parameters. A malformed weight takes the range away.
int weight_in(std::string_view parameters) {
  while (!parameters.empty()) {
    auto each = take(parameters, ';');
    if (each.starts_with("q=") || each.starts_with("Q="))
      return thousandths(each.substr(2)).value_or(0);
  }
  return whole;
}

}  // namespace

int weight(std::string_view accept, std::string_view type) {
  if (trimmed(accept).empty()) return whole;
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
