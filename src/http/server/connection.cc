// The way of a request through a connection: serve → read → check_header → respond → the handler's
// answer → write.
#include "http/server/connection.h"

#include <fmt/format.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "base/limits.h"
#include "http/problem.h"
#include "http/server/exchange.h"
#include "loop/awaitable.h"

namespace quire::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using HttpError = beast::http::error;

constexpr std::size_t max_buffered = 64 * 1024;
constexpr std::size_t max_body_sent = 2 * limits::body_bytes;  // including chunk sizes and trailers
constexpr std::size_t max_drained = 1024 * 1024;
constexpr int max_in_socket = 128 * 1024;  // bytes in the socket that TCP has not sent yet

}  // namespace

Connection::Connection(Socket socket, Clients::Seat client, EventLoop& loop, Shared& shared)
    : socket_(std::move(socket)),
      loop_(loop),
      shared_(shared),
      client_(std::move(client)),
      peer_(client_.peer.to_string()),
      peer_name_(name_of(client_.peer)),
      list_entry_(loop.waiting.insert(loop.waiting.end(), this)),
      buffer_(max_buffered) {
  boost::system::error_code failed;
  socket_.set_option(asio::ip::tcp::no_delay(true), failed);
  // Unsent bytes for a slow client wait in this process, which counts them, and not in the kernel.
  setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &max_in_socket,
             sizeof max_in_socket);
  socket_.non_blocking(true, failed);
  shared_.metrics.connections->Increment();
}

std::string Connection::name_of(const asio::ip::address& client) const {
  return trusts(shared_.trusted_proxies, client) ? "" : client_name(client);
}

Connection::~Connection() {
  (state_ == State::answering ? loop_.busy : loop_.waiting).erase(list_entry_);
  shared_.metrics.connections->Decrement();
}

// Moves the connection to the busy list, because the waiting list is for those that can be closed.
void Connection::close() {
  closed_ = true;
  begin_response();
  boost::system::error_code ignored;
  socket_.close(ignored);
}

// Moves the connection to the end of the waiting list, whose front has been silent longest.
void Connection::wait_for_client(State state) {
  auto& from = state_ == State::answering ? loop_.busy : loop_.waiting;
  state_ = state;
  loop_.waiting.splice(loop_.waiting.end(), from, list_entry_);
}

void Connection::begin_response() {
  if (state_ == State::answering) return;
  state_ = State::answering;
  loop_.busy.splice(loop_.busy.end(), loop_.waiting, list_entry_);
}

void Connection::set_deadline(std::chrono::milliseconds from_now) {
  deadline_ = std::chrono::steady_clock::now() + from_now;
}

Awaitable<void> Connection::serve(std::unique_ptr<Connection> connection) {
  for (bool open = true; open;) {
    Exchange exchange(connection->peer_name_);
    open = co_await connection->read(exchange) == Next::answer &&
           co_await connection->respond(exchange);
  }
}

// Reads until the request is complete, or until its header is enough to refuse it.
Awaitable<Connection::Next> Connection::read(Exchange& exchange) {
  Parser& parser = exchange.parser;
  request_id_.clear();
  if (closed_) co_return Next::close;
  wait_for_client(buffer_.size() == 0 ? State::idle : State::reading);
  set_deadline(idle() ? shared_.timeouts.idle : shared_.timeouts.request);
  bool invited = false;
  for (std::size_t header_bytes = 0, body_bytes = 0;;) {
    while (buffer_.size() > 0 && !parser.is_done()) {
      boost::system::error_code failed;
      bool in_header = !parser.is_header_done();
      auto taken = parser.put(buffer_.data(), failed);
      std::string_view bytes(static_cast<const char*>(buffer_.data().data()), taken);
      if (in_header && has_folded_line(bytes)) failed = HttpError::bad_obs_fold;
      buffer_.consume(taken);
      if (!exchange.wants_body()) parser.get().body().clear();
      // The parser checks its limits only against the bytes of one call. What it leaves is a line
      // of the header, the line of a chunk, or trailers.
      (in_header ? header_bytes : body_bytes) += taken;
      auto left = failed == HttpError::need_more ? buffer_.size() : 0;
      if ((in_header ? header_bytes : 0) + left > limits::header_bytes)
        failed = HttpError::header_limit;
      if (body_bytes > max_body_sent) failed = HttpError::body_limit;
      if (in_header && parser.is_header_done()) {
        if (!well_framed(parser)) failed = HttpError::bad_transfer_encoding;
        if (!failed && !begin(exchange) && !co_await wait_for_turn()) co_return Next::close;
        if (!failed) check_header(exchange);
        if (!failed && exchange.streams()) co_return Next::answer;
        if (!failed && !limit_body(exchange)) failed = HttpError::body_limit;
      }
      if (!make_room_for_body(exchange)) failed = HttpError::body_limit;
      if (failed == HttpError::need_more) break;
      if (failed && exchange.response) co_return Next::answer;  // of two refusals the first
      if (failed) {
        co_await refuse(exchange, failed);
        co_return Next::close;
      }
    }
    if (parser.is_done() || exchange.response) co_return Next::answer;
    if (parser.is_header_done() && !std::exchange(invited, true)) co_await invite_body(exchange);
    if (loop_.stopping && idle()) co_return Next::close;
    bool begins = idle();
    if (!may_receive()) co_return Next::close;
    auto [failed, size] = co_await receive();
    if (!received(failed, size)) co_return Next::close;
    if (begins) set_deadline(shared_.timeouts.request);
  }
}

bool Connection::may_receive() const {
  return !closed_ && buffer_.size() + read_size <= buffer_.max_size();
}

Awaitable<std::tuple<boost::system::error_code, std::size_t>> Connection::receive(
    std::size_t size) {
  return socket_.async_read_some(buffer_.prepare(size), await);
}

// Takes what was received into the buffer. False: the connection ends.
bool Connection::received(boost::system::error_code failed, std::size_t size) {
  buffer_.commit(size);
  if (failed || closed_) return false;
  wait_for_client(State::reading);
  return true;
}

// Begins the work for the client that sent the request. False: it has to wait for its turn first.
bool Connection::begin(Exchange& exchange) {
  const auto& message = exchange.parser.get();
  if (exchange.parser.chunked()) {
    exchange.header.emplace(message);
    check_chunk_lines(exchange.parser);
  }
  const beast::http::fields& headers =
      exchange.header ? *exchange.header : static_cast<const beast::http::fields&>(message);
  exchange.request.headers = &headers;
  exchange.client = client_address(client_.peer, headers, shared_.trusted_proxies);
  // The connections of a proxy are no client's; a request that has a header of it is, and if its
  // headers contradict each other or name nobody, it shares a client with all such requests.
  bool named = headers.count("Forwarded") + headers.count("X-Forwarded-For") > 0;
  if (named) exchange.client_name = client_name(exchange.client);
  exchange.client_number = client_number(exchange.client_name);
  return loop_.turns.begin(exchange.client_number);
}

// Meanwhile the connection has no deadline. False: it has ended.
Awaitable<bool> Connection::wait_for_turn() {
  begin_response();
  co_await loop_.turns.wait();
  if (closed_) co_return false;
  wait_for_client(State::reading);
  co_return true;
}

void Connection::check_header(Exchange& exchange) {
  const auto& message = exchange.parser.get();
  Request& request = exchange.request;
  loop_.make_request_id(request_id_, (*request.headers)["X-Request-Id"]);
  request.method = message.method();
  request.target = {message.target().data(), message.target().size()};
  request.needs_host = message.version() >= 11;
  request.spare = &loop_.spare;
  request.client = exchange.client;
  request.id = request_id_;
  request.announced = exchange.parser.content_length().value_or(0);
  exchange.response = shared_.handler.check_header(request);
  if (exchange.wants_body())
    exchange.body_room = Budget::Hold(shared_.bodies, exchange.client_name);
}

// The limit of all bodies but those that are streamed. False: the announced length is beyond it,
// and nothing else refuses the request.
bool Connection::limit_body(Exchange& exchange) {
  if (exchange.request.streams) return true;
  exchange.parser.body_limit(limits::body_bytes);
  return exchange.response || exchange.request.announced <= limits::body_bytes;
}

// Memory is counted as bytes arrive, so that a length that is only announced costs others nothing.
// False: the body is longer than its route takes.
bool Connection::make_room_for_body(Exchange& exchange) {
  if (!exchange.wants_body()) return true;
  auto& body = exchange.parser.get().body();
  auto announced = exchange.parser.content_length().value_or(0);
  if (std::max<std::uint64_t>(announced, body.size()) > exchange.request.max_body) return false;
  if (exchange.body_room.grow(body.size())) return true;
  body = {};
  exchange.body_room = {};
  exchange.response = RoutedResponse{
      refused(503, "backend-unavailable", "Too many bodies are under way. Try again."),
      exchange.request.route};
  return true;
}

Response Connection::refused(unsigned status, std::string_view slug,
                             std::string_view detail) const {
  auto response = refusal(status, slug, detail);
  put_below(shared_.handler.path(), response);
  return response;
}

// Sends the interim response for which a client may wait before it sends its body. HTTP/1.0 has
// none.
Awaitable<void> Connection::invite_body(const Exchange& exchange) {
  auto version = exchange.parser.get().version();
  if (version < 11 || !exchange.request.has_element(Field::expect, "100-continue")) co_return;
  co_await asio::async_write(socket_, asio::buffer("HTTP/1.1 100 Continue\r\n\r\n", 25), await);
}

// Answers bytes that are no request, or a request that exceeds a limit.
Awaitable<void> Connection::refuse(const Exchange& exchange, boost::system::error_code why) {
  bool known = exchange.request.headers != nullptr;
  loop_.count_malformed(known ? exchange.client : client_.peer, why.message());
  Response response;
  if (why == HttpError::body_limit) {
    auto max = exchange.request.max_body > 0 ? exchange.request.max_body : limits::body_bytes;
    response = refused(413, "payload-too-large",
                       fmt::format("A body has at most {} KiB here.", max / 1024));
  } else if (why == HttpError::header_limit) {
    response = refused(431, "payload-too-large", "A header section has at most 16 KiB.");
  } else {
    response = refused(400, "invalid-parameter",
                       "These bytes are no HTTP/1.1 request: " + why.message() + ".");
  }
  loop_.make_request_id(request_id_);
  auto parts = parts_of(response, true, false, 11);
  auto size = asio::buffer_size(parts);
  auto sent = offer(parts);
  if (!sent) co_return;
  bool all = *sent == size;
  if (!all) all = co_await write_rest(parts, size, *sent, exchange.client_name);
  if (all) co_await drain();
}

// Reads and drops what the client still sends, up to a limit: a close at once would reset the
// connection before the client has read the response.
Awaitable<void> Connection::drain() {
  boost::system::error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  set_deadline(shared_.timeouts.request);
  for (std::size_t drained = 0; drained < max_drained; drained += buffer_.size()) {
    wait_for_client(State::idle);  // so that a stop of the server does not wait
    buffer_.clear();
    if (!may_receive()) co_return;
    auto [failed, size] = co_await receive();
    if (!received(failed, size)) co_return;
  }
}

// Whether the connection outlives the response. An option may be on any line of the header (RFC
// 9110, 7.6.1), and close outweighs keep-alive (RFC 9112, 9.3).
bool Connection::keeps_open(const Request& request, unsigned version) const {
  if (loop_.draining || loop_.stopping) return false;
  if (request.has_element(Field::connection, "close")) return false;
  return version >= 11 || request.has_element(Field::connection, "keep-alive");
}

Awaitable<bool> Connection::respond(Exchange& exchange) {
  auto begun = std::chrono::steady_clock::now();
  begin_response();                  // no deadline applies from here on: the store has its own
  work_of = exchange.client_number;  // reading its body took further handlers, perhaps
  const auto& message = exchange.parser.get();
  Request& request = exchange.request;
  request.body = message.body();
  if (!exchange.response) {
    auto answer = co_await shared_.handler.answer(request);
    exchange.response = std::move(answer);
  }
  auto& routed = *exchange.response;
  if (routed.response.taker) co_return co_await stream(exchange);
  if (!routed.response.mapped && !may_wait(exchange.client_name, routed.response.bytes().size())) {
    shared_.metrics.answers_refused->Increment();
    routed.response = refused(
        503, "backend-unavailable",
        "Too many answers wait for clients that take them slowly. Try again, or ask for less.");
  }
  bool whole = exchange.parser.is_done();
  bool keep = whole && keeps_open(request, message.version());
  bool with_body = request.method != Verb::head;
  auto parts = parts_of(routed.response, with_body, keep, message.version());
  auto size = asio::buffer_size(parts);
  count(exchange, std::chrono::steady_clock::now() - begun);
  auto sent = offer(parts);
  bool all = sent == size;
  if (sent && !all) {
    all = co_await write_rest(parts, size, *sent, exchange.client_name, !routed.response.mapped);
  }
  log(exchange, routed.response.bytes().size(), std::chrono::steady_clock::now() - begun);
  request.give_spare(std::move(routed.response.body));
  if (all && !whole) co_await drain();
  // Other connections have their turn before this one reads again: the next request has usually
  // arrived by then, which saves a wait.
  if (all) co_await asio::post(loop_.context.get_executor(), asio::use_awaitable);
  bool go_on = all && keep && !closed_;
  co_return go_on;
}

// Counts the response, which goes to the client after that: a client that has its answer and then
// reads the metrics finds it there.
void Connection::count(const Exchange& exchange, std::chrono::nanoseconds took) {
  const auto& [response, route] = *exchange.response;
  shared_.metrics.answered(route, response.status, std::chrono::duration<double>(took).count());
}

// Logs the response after it was sent. `took` has the time of sending, too.
void Connection::log(const Exchange& exchange, std::size_t bytes, std::chrono::nanoseconds took) {
  auto method = exchange.parser.get().method_string();
  loop_.log.add({exchange.client == client_.peer ? peer_ : exchange.client.to_string(),
                 {method.data(), method.size()},
                 exchange.request.target,
                 request_id_,
                 exchange.response->response.status,
                 bytes,
                 took,
                 exchange.request.writer_label},
                loop_.date());
}

}  // namespace quire::http
