// A request whose handler takes the body as it comes, of any length, and answers meanwhile: receive
// → unpack → take → offer what was said, and so on. Reading never waits for a client that does not
// read: what the system does not take at once stays with the taker, which bounds it.
#include <fmt/format.h>

#include <boost/asio/post.hpp>

#include "http/server/exchange.h"
#include "loop/awaitable.h"

namespace quire::http {
namespace {

namespace asio = boost::asio;
using HttpError = boost::beast::http::error;

}  // namespace

// What the taker said, as it goes over the connection.
struct Connection::Said {
  const bool chunked;      // otherwise the end of the connection ends the body
  std::string bytes = {};  // framed
  std::size_t sent = 0;    // of them
  std::size_t total = 0;   // of the body, for the log

  bool all_sent() const { return sent == bytes.size(); }

  void add(std::string_view part) {
    if (part.empty()) return;
    if (all_sent()) {
      bytes.clear();
      sent = 0;
    }
    total += part.size();
    if (chunked) bytes += fmt::format("{:x}\r\n", part.size());
    bytes += part;
    if (chunked) bytes += "\r\n";
  }
  void end() {
    if (chunked) bytes += "0\r\n\r\n";
  }
  Parts rest() const { return {asio::buffer(asio::buffer(bytes) + sent), asio::const_buffer()}; }
};

Awaitable<bool> Connection::stream(Exchange& exchange) {
  auto begun = std::chrono::steady_clock::now();
  const auto& parser = exchange.parser;
  auto& response = exchange.response->response;
  auto& taker = *response.taker;
  auto version = parser.get().version();
  bool keep = version >= 11 && keeps_open(exchange.request, version);
  Said said{.chunked = version >= 11};
  parts_of(response, true, keep, version);
  said.bytes = head_;
  co_await invite_body(exchange);
  bool open = true, takes = true;
  for (;;) {
    bool framed = unpack(exchange);
    auto& body = exchange.parser.get().body();
    if (!body.empty()) {
      begin_response();  // no deadline applies while the taker works
      takes = co_await taker.take(body);
      body.clear();
      open = offer(said, taker);
    }
    open = open && framed;
    if (!open || !takes || parser.is_done()) break;
    open = co_await receive_more();
    if (!open) break;
  }
  begin_response();
  bool whole = open && parser.is_done();
  co_await taker.end(whole);
  count(exchange, std::chrono::steady_clock::now() - begun);
  if (open) open = co_await send_rest(said, taker, exchange.client_name);
  log(exchange, said.total, std::chrono::steady_clock::now() - begun);
  if (open && !(whole && keep)) co_await drain();
  if (open) co_await asio::post(loop_.context.get_executor(), asio::use_awaitable);
  bool go_on = open && whole && keep && !closed_;
  co_return go_on;
}

// Appends what was received of the body to it. False: the bytes are no body.
bool Connection::unpack(Exchange& exchange) {
  auto& parser = exchange.parser;
  while (buffer_.size() > 0 && !parser.is_done()) {
    boost::system::error_code failed;
    buffer_.consume(parser.put(buffer_.data(), failed));
    // The line of a chunk, or trailers.
    bool starved = failed == HttpError::need_more;
    if (starved && buffer_.size() <= limits::header_bytes) return true;
    if (starved) failed = HttpError::header_limit;
    if (!failed) continue;
    loop_.count_malformed(exchange.client, failed.message());
    return false;
  }
  return true;
}

// Waits for more of the body. False: the connection has ended, or nothing came for too long.
Awaitable<bool> Connection::receive_more() {
  if (!may_receive()) co_return false;
  set_deadline(shared_.timeouts.idle);
  wait_for_client(State::reading);
  auto [failed, size] = co_await receive(buffer_.max_size() - buffer_.size());
  bool more = received(failed, size);
  co_return more;
}

// Offers the system what was said, which takes some of it. False: the connection has ended.
bool Connection::offer(Said& said, BodyTaker& taker) {
  for (;;) {
    if (said.all_sent()) said.add(taker.said());
    if (said.all_sent()) return !closed_;
    auto taken = offer(said.rest());
    if (!taken) return false;
    said.sent += *taken;
    if (!said.all_sent()) return true;
  }
}

// Sends what is left to say, as fast as the client reads, and ends the body.
Awaitable<bool> Connection::send_rest(Said& said, BodyTaker& taker, const std::string& client) {
  said.add(taker.said());
  said.end();
  auto rest = said.rest();
  auto sent = offer(rest);
  auto size = asio::buffer_size(rest);
  if (!sent || *sent == size) co_return sent.has_value();
  bool all = co_await write_rest(rest, size, *sent, client);
  co_return all;
}

}  // namespace quire::http
