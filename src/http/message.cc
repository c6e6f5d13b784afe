#include "http/message.h"

#include <fmt/format.h>

#include "base/long_hash.h"

namespace quire::http {

Coding Request::best_coding() const {
  auto [line, end] = headers->equal_range(Field::accept_encoding);
  if (line == end) return Coding::identity;
  std::string accepted(line->value());
  while (++line != end) accepted.append(",").append(line->value());
  return http::best_coding(accepted);
}

void Response::tag_by(std::string_view content) {
  tag = fmt::format("W/\"{:016x}\"", long_hash(content));
}

}  // namespace quire::http
