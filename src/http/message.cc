#include "http/message.h"

#include <fmt/format.h>

#include <boost/beast/core/string.hpp>

#include "base/hash.h"
#include "http/accept.h"

namespace quire::http {

std::string Request::list(Field field) const {
  auto [line, end] = headers->equal_range(field);
  if (line == end) return {};
  std::string out(line->value());
  while (++line != end) out.append(",").append(line->value());
  return out;
}

bool Request::lists(Field field, std::string_view element) const {
  auto [line, end] = headers->equal_range(field);
  for (; line != end; ++line) {
    for (std::string_view rest = line->value(); !rest.empty();)
      if (boost::beast::iequals(take(rest, ','), element)) return true;
  }
  return false;
}

bool Request::has(std::string_view tag) const {
  if (tag.empty()) return false;
  auto quoted = tag.substr(tag.find('"'));
  auto [line, end] = headers->equal_range(Field::if_none_match);
  return std::any_of(line, end, [&](const auto& each) {
    std::string_view known = each.value();
    return known == "*" || known.find(quoted) != known.npos;
  });
}

Coding Request::best_coding() const {
  return http::best_coding(list(Field::accept_encoding));
}

void Response::tag_by(std::string_view content) {
  tag = fmt::format("W/\"{:016x}\"", long_hash(content));
}

}  // namespace quire::http
