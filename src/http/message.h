// A request as handlers see it, and the response they give.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/verb.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quire::http {

using Verb = boost::beast::http::verb;
using Field = boost::beast::http::field;

struct Token;

struct Request {
  Verb method{};
  std::string_view target;  // as sent
  bool needs_host = true;   // HTTP/1.1
  const boost::beast::http::fields* headers = nullptr;
  std::string_view body;            // empty unless takes_body
  std::string* spare = nullptr;     // an empty string with room, for the answer's body
  boost::asio::ip::address client;  // behind trusted proxies the original one
  std::string id;

  // The host it is meant for, of the target if that is whole, else of the Host header.
  std::string_view authority = {};

  // From the target, decoded.
  std::vector<std::string> segments;
  std::vector<std::pair<std::string, std::string>> parameters;

  // From the header, by Answering::check_header.
  bool takes_body = false;                  // false: what the client sends as a body is passed over
  std::size_t route = 0;                    // for metrics
  std::shared_ptr<const Token> token = {};  // of who writes; nothing: anonymous, or not a write
  std::vector<std::string> captures;  // the parts of the path that stand for `{…}` in the route

  std::string room() const { return spare ? std::exchange(*spare, {}) : std::string(); }

  std::string_view header(Field field) const {
    auto value = (*headers)[field];
    return {value.data(), value.size()};
  }

  // Whether the client has the answer of this tag already, and says so. The comparison is weak (RFC
  // 9110, 13.1.2): what counts is the part in quotes.
  bool has(std::string_view tag) const {
    auto known = header(Field::if_none_match);
    return known == "*" || known.find(tag.substr(tag.find('"'))) != known.npos;
  }
  bool wants_body(std::string_view tag) const { return method != Verb::head && !has(tag); }
};

// What may be done with an answer later.
enum class Caching { none, revalidate, day, forever };

struct Response {
  unsigned status = 200;
  std::string_view type = "application/json";  // static text
  std::string body;
  std::string headers;  // more of them, as lines ending in CRLF
  Caching caching = Caching::none;
  std::string tag = {};        // for the ETag; empty: a hash of the body
  bool body_left_out = false;  // nobody wants it, so it was not made and its length is not known

  // Weak, of what the body says but for what changes with the time alone.
  void tag_by(std::string_view said);

  void add(std::string_view name, std::string_view value) {
    headers.append(name).append(": ").append(value).append("\r\n");
  }
};

}  // namespace quire::http
