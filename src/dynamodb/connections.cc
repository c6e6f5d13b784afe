#include "dynamodb/connections.h"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include "loop/awaitable.h"

namespace quire::dynamodb {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

// An answer to BatchGetItem holds at most 16 MB of items. JSON makes a byte of a text six bytes at
// most.
constexpr std::size_t max_body_bytes = 128 << 20;

// A page of comments fits into this, and so is read at once.
constexpr std::size_t usual_answer = 32 << 10;

http::request<http::string_body> request_of(Message& message) {
  std::string target = message.path + (message.query.empty() ? "" : "?" + message.query);
  http::request<http::string_body> request(http::string_to_verb(message.method), target, 11);
  for (const auto& [name, value] : message.headers) request.set(name, value);
  request.body() = std::move(message.body);
  request.prepare_payload();
  return request;
}

// Resolvers and certificates write an IPv6 address without brackets.
std::string host_of(const Origin& origin) {
  const auto& host = origin.host;
  return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

Reply reply_of(http::response<http::string_body>&& response) {
  auto header = [&](std::string_view name) { return std::string(response[name]); };
  std::string retry_after = header("x-amz-retry-after");
  if (retry_after.empty() && !header("retry-after").empty())
    retry_after = header("retry-after") + "000";
  return {response.result_int(), std::move(response.body()), header("x-amz-crc32"), header("date"),
          std::move(retry_after)};
}

}  // namespace

class Connections::Connection {
 public:
  explicit Connection(Connections& all) {
    buffer_.reserve(usual_answer);
    if (all.origin_.tls)
      stream_.emplace<Tls>(all.context_, all.tls_);
    else
      stream_.emplace<beast::tcp_stream>(all.context_);
  }

  Awaitable<Error> open(Lookup& lookup, const std::string& host, Deadline deadline) {
    auto [unknown, addresses] = co_await lookup.addresses(deadline);
    if (unknown) co_return unknown;
    socket().expires_at(deadline);
    auto [refused, address] = co_await socket().async_connect(addresses, await);
    if (refused) co_return refused;
    socket().socket().set_option(tcp::no_delay(true));
    auto* tls = std::get_if<Tls>(&stream_);
    if (!tls) co_return Error();
    tls->set_verify_callback(asio::ssl::host_name_verification(host));
    SSL_set_tlsext_host_name(tls->native_handle(), host.c_str());
    auto [untrusted] = co_await tls->async_handshake(asio::ssl::stream_base::client, await);
    co_return untrusted;
  }

  Awaitable<Exchanged> exchange(Message message, Deadline deadline) {
    socket().expires_at(deadline);
    auto* tls = std::get_if<Tls>(&stream_);
    if (tls) co_return co_await exchange_on(*tls, std::move(message));
    co_return co_await exchange_on(std::get<beast::tcp_stream>(stream_), std::move(message));
  }

  bool reusable() const { return reusable_; }
  bool fresh() { return std::chrono::steady_clock::now() - used_ < max_idle && quiet(); }

 private:
  using Tls = beast::ssl_stream<beast::tcp_stream>;

  template <class Stream>
  Awaitable<Exchanged> exchange_on(Stream& stream, Message message) {
    reusable_ = false;
    auto request = request_of(message);
    auto [unsent, sent] = co_await http::async_write(stream, request, await);
    if (unsent) co_return broken("the request could not be sent: " + unsent.message());
    http::response_parser<http::string_body> parser;
    parser.body_limit(max_body_bytes);
    auto [unread, read] = co_await http::async_read(stream, buffer_, parser, await);
    if (unread) co_return broken("the answer broke off: " + unread.message());
    reusable_ = parser.keep_alive() && parser.get().result_int() >= 200;
    used_ = std::chrono::steady_clock::now();
    co_return reply_of(parser.release());
  }

  // Whether nothing came since the last answer: neither the end nor bytes without a request.
  bool quiet() {
    char byte;
    Error nothing;
    auto& connected = socket().socket();
    connected.non_blocking(true, nothing);
    connected.receive(asio::buffer(&byte, 1), tcp::socket::message_peek, nothing);
    return nothing == asio::error::would_block && buffer_.size() == 0;
  }

  beast::tcp_stream& socket() {
    auto* tls = std::get_if<Tls>(&stream_);
    return tls ? tls->next_layer() : std::get<beast::tcp_stream>(stream_);
  }

  std::variant<std::monostate, beast::tcp_stream, Tls> stream_;
  beast::flat_buffer buffer_;
  bool reusable_ = false;
  Deadline used_;
};

Connections::Connections(asio::io_context& context, Origin origin)
    : context_(context),
      tls_(asio::ssl::context::tls_client),
      origin_(std::move(origin)),
      host_(host_of(origin_)),
      lookup_(system_lookup(host_, origin_.port)),
      gate_(context, max_open, max_waiting) {
  if (!origin_.tls) return;
  tls_.set_default_verify_paths();
  tls_.set_verify_mode(asio::ssl::verify_peer);
}

Connections::~Connections() = default;

Awaitable<Exchanged> Connections::exchange(Message message, Deadline deadline) {
  auto pass = co_await gate_.enter(deadline);
  if (!pass) co_return broken("too many requests wait for a connection");
  auto connection = idle();
  if (!connection) {
    connection = std::make_unique<Connection>(*this);
    auto failed = co_await connection->open(lookup_, host_, deadline);
    if (failed) co_return broken("cannot reach " + origin_.authority() + ": " + failed.message());
  }
  auto exchanged = co_await connection->exchange(std::move(message), deadline);
  if (connection->reusable()) idle_.push_back(std::move(connection));
  while (!idle_.empty() && !idle_.front()->fresh()) idle_.erase(idle_.begin());
  co_return exchanged;
}

std::unique_ptr<Connections::Connection> Connections::idle() {
  while (!idle_.empty()) {
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    if (connection->fresh()) return connection;
  }
  return {};
}

}  // namespace quire::dynamodb
