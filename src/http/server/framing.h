// Where the body of a request ends (RFC 9112, 6 and 7). That must be beyond doubt, or an attacker
// makes bytes of the body pass for the next request.
#pragma once

#include <boost/beast/core/buffer_traits.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/http/parser.hpp>
#include <string>

namespace quire::http {

// The body of a request as a string. It grows as bytes arrive: a length that is only announced
// takes no memory, as it would in Beast's string_body.
struct Body {
  using value_type = std::string;

  class reader {
   public:
    template <bool is_request, class Fields>
    reader(boost::beast::http::header<is_request, Fields>&, std::string& body) : body_(body) {}
    void init(const boost::optional<std::uint64_t>&, boost::system::error_code& failed) {
      failed = {};
    }
    template <class Buffers>
    std::size_t put(const Buffers& buffers, boost::system::error_code& failed) {
      failed = {};
      for (auto part : boost::beast::buffers_range_ref(buffers))
        body_.append(static_cast<const char*>(part.data()), part.size());
      return boost::beast::buffer_bytes(buffers);
    }
    void finish(boost::system::error_code& failed) { failed = {}; }

   private:
    std::string& body_;
  };
};

using Parser = boost::beast::http::request_parser<Body>;

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
