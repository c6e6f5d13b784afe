#include "http/server/framing.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

#include "http/message.h"

namespace quire::http {
namespace {

bool is_control(char c) {
  return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f';
}

// A server that ends a line at a bare line feed would take the rest of the extension for a chunk.
void check_extensions(std::uint64_t, std::string_view extensions,
                      boost::system::error_code& failed) {
  if (std::any_of(extensions.begin(), extensions.end(), is_control))
    failed = boost::beast::http::error::bad_chunk_extension;
}

}  // namespace

bool well_framed(const Parser& parser) {
  const auto& message = parser.get();
  auto given = message.count(Field::transfer_encoding);
  if (given == 0) return true;
  return given == 1 && message.version() == 11 &&
         boost::beast::iequals(message[Field::transfer_encoding], "chunked");
}

bool has_folded_line(std::string_view header) {
  return header.find("\n ") != header.npos || header.find("\n\t") != header.npos;
}

void check_chunk_lines(Parser& parser) {
  parser.on_chunk_header(check_extensions);
}

}  // namespace quire::http
