#include "http/message.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace quire::http {

void Response::tag_by(std::string_view content) {
  tag = fmt::format("W/\"{:016x}\"", XXH3_64bits(content.data(), content.size()));
}

}  // namespace quire::http
