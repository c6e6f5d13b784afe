#include "http/message.h"

#include <fmt/format.h>

#include "base/long_hash.h"

namespace quire::http {

void Response::tag_by(std::string_view content) {
  tag = fmt::format("W/\"{:016x}\"", long_hash(content));
}

}  // namespace quire::http
