// A request under way on a connection, and its response.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/limits.h"
#include "http/server/connection.h"
#include "http/server/framing.h"

namespace quire::http {

struct Connection::Exchange {
  explicit Exchange(std::string peer_name) : client_name(std::move(peer_name)) {
    parser.header_limit(limits::header_bytes);
    parser.body_limit(boost::none);  // the header decides: Connection::limit_body()
  }
  // The body of other requests is read and dropped, so that it takes no memory.
  bool wants_body() const { return request.max_body > 0 && !response; }
  // The handler is asked before the body is read.
  bool streams() const { return request.streams && !response; }

  Parser parser;
  std::optional<boost::beast::http::fields>
      header;  // copy for a chunked request: its trailers are no headers
  boost::asio::ip::address client;
  std::string client_name;          // for shares of budgets; empty: a trusted proxy, which has none
  std::uint64_t client_number = 0;  // of `client_name`, for turns
  Request request;
  std::optional<RoutedResponse> response;
  Budget::Hold body_room;
};

}  // namespace quire::http
