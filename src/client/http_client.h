// Asks other programs over HTTP/1.1: Beast parses, OpenSSL encrypts. Each caller decides itself
// what it signs, what a status means, and whether it asks again.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/address_lookup.h"
#include "client/origin.h"
#include "loop/gate.h"
#include "quire/result.h"

namespace quire {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = "POST";
  std::string path = "/";    // percent-encoded
  std::string query = {};    // "a=b&c=d", percent-encoded
  HttpHeaders headers = {};  // the client adds Host where it is absent, and Content-Length
  std::string body = {};
  // The status and the headers are enough: a body that breaks off, is too long or does not end is
  // no failure.
  bool status_alone = false;
};

struct HttpResponse {
  unsigned status;
  std::string body;
  HttpHeaders headers = {};

  // The value of the first header of this name, in any case; empty: there is none.
  std::string_view header(std::string_view name) const;
};

// Sends requests to one origin, over connections that it keeps. A certificate is checked against
// the host's name and those that the system trusts. Used on one loop; not thread-safe.
class HttpClient {
 public:
  static constexpr std::size_t max_open = 256;
  static constexpr std::size_t max_waiting = 4096;
  static constexpr std::chrono::seconds max_idle{20};  // servers close connections idle for longer
  // An answer to BatchGetItem of DynamoDB holds at most 16 MB of items. JSON makes a byte of a text
  // six bytes at most.
  static constexpr std::size_t max_body_bytes = 128 << 20;

  // `max_body`: of a response, in bytes; a longer one breaks off. `lookup`: gives the addresses to
  // which it connects, and no others; null: those of the system.
  HttpClient(boost::asio::io_context& context, HttpOrigin origin,
             std::size_t max_body = max_body_bytes, AddressLookup::Ask lookup = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;

  // Sends the request once and reads its response, all until the deadline: the waiting for a free
  // connection and for the addresses of the host's name too. unavailable: there is no response, and
  // whether the server took the request is not known. The message is the reason, as a part of a
  // sentence: "cannot reach shop.example: Connection refused".
  Awaitable<Result<HttpResponse>> send(HttpRequest request, Deadline deadline);

  // Connections that are in use or kept.
  std::size_t open() const { return gate_.inside() + idle_.size(); }

 private:
  class KeptConnection;

  std::unique_ptr<KeptConnection> idle();

  boost::asio::io_context& context_;
  boost::asio::ssl::context tls_;
  HttpOrigin origin_;
  std::string host_;  // of the origin, as name servers and certificates write it
  std::size_t max_body_;
  AddressLookup lookup_;
  Gate gate_;
  std::vector<std::unique_ptr<KeptConnection>> idle_;  // the last used at the end
};

}  // namespace quire
