// Where the body of a request ends (RFC 9112, 6 and 7). That must be beyond doubt, or an attacker
// makes bytes of the body pass for the next request.
#pragma once

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace quire::http {

using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

// Whether a request whose header was read frames its body in a way that each server understands:
// the only transfer encoding is chunked, and only in HTTP/1.1.
bool well_framed(const Parser& parser);

// Whether a line goes on in the next one, which begins with a space or tab. No client sends that
// any more, and servers read it in different ways (RFC 9112, 5.2). `header`: whole lines.
bool has_folded_line(std::string_view header);

// Makes the parser of a request whose header was read refuse control characters in quoted
// extensions of chunks. It refuses all others itself.
void check_chunk_lines(Parser& parser);

}  // namespace quire::http
