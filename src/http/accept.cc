#include "http/accept.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

#include "http/quality.h"

namespace quire::http {
namespace {

using boost::beast::iequals;

// How exactly a range names the type; 0: it does not.
int match(std::string_view range, std::string_view type) {
  if (iequals(range, type)) return 3;
  auto family = type.substr(0, type.find('/') + 1);
  if (range.ends_with("/*") && iequals(range.substr(0, range.size() - 1), family)) return 2;
  return range == "*/*" ? 1 : 0;
}

}  // namespace

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
