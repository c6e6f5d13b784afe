#include "client/http_client.h"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <variant>

#include "loop/awaitable.h"

namespace quire {
namespace {

constexpr int max_interim = 8;

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;

// A page of comments fits into this, and so is read at once.
constexpr std::size_t usual_answer = 32 << 10;

using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

Request beast_request(HttpRequest&& request, const std::string& authority) {
  std::string target = request.path + (request.query.empty() ? "" : "?" + request.query);
  Request out(http::string_to_verb(request.method), target, 11);
  out.set(http::field::host, authority);
  for (const auto& [name, value] : request.headers) out.set(name, value);
  out.body() = std::move(request.body);
  out.prepare_payload();
  return out;
}

// Resolvers and certificates write an IPv6 address without brackets.
std::string host_of(const HttpOrigin& origin) {
  const auto& host = origin.host;
  return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

HttpResponse response_of(Response&& response) {
  HttpResponse out{response.result_int(), std::move(response.body())};
  for (const auto& header : response)
    out.headers.emplace_back(header.name_string(), header.value());
  return out;
}

Error no_response(std::string reason) {
  return {ErrorCode::unavailable, std::move(reason)};
}

}  // namespace

std::string_view HttpResponse::header(std::string_view name) const {
  auto found = std::find_if(headers.begin(), headers.end(),
                            [&](const auto& each) { return beast::iequals(each.first, name); });
  return found == headers.end() ? std::string_view() : found->second;
}

class HttpClient::KeptConnection {
 public:
  explicit KeptConnection(HttpClient& all) : max_body_(all.max_body_) {
    buffer_.reserve(usual_answer);
    if (all.origin_.tls)
      stream_.emplace<Tls>(all.context_, all.tls_);
    else
      stream_.emplace<beast::tcp_stream>(all.context_);
  }

  Awaitable<error_code> open(AddressLookup& lookup, const std::string& host, Deadline deadline) {
    auto [unknown, addresses] = co_await lookup.addresses(deadline);
    if (unknown) co_return unknown;
    socket().expires_at(deadline);
    auto [refused, address] = co_await socket().async_connect(addresses, await);
    if (refused) co_return refused;
    socket().socket().set_option(tcp::no_delay(true));
    auto* tls = std::get_if<Tls>(&stream_);
    if (!tls) co_return error_code();
    tls->set_verify_callback(asio::ssl::host_name_verification(host));
    SSL_set_tlsext_host_name(tls->native_handle(), host.c_str());
    auto [untrusted] = co_await tls->async_handshake(asio::ssl::stream_base::client, await);
    co_return untrusted;
  }

  Awaitable<Result<HttpResponse>> exchange(Request request, Deadline deadline, bool status_alone) {
    socket().expires_at(deadline);
    auto* tls = std::get_if<Tls>(&stream_);
    if (tls) co_return co_await exchange_on(*tls, std::move(request), status_alone);
    co_return co_await exchange_on(std::get<beast::tcp_stream>(stream_), std::move(request),
                                   status_alone);
  }

  bool reusable() const { return reusable_; }
  bool fresh() { return std::chrono::steady_clock::now() - used_ < max_idle && quiet(); }

 private:
  using Tls = beast::ssl_stream<beast::tcp_stream>;

  template <class Stream>
  Awaitable<Result<HttpResponse>> exchange_on(Stream& stream, Request request, bool status_alone) {
    reusable_ = false;
    auto [unsent, sent] = co_await http::async_write(stream, request, await);
    if (unsent) co_return no_response("the request could not be sent: " + unsent.message());
    // Answers of 1xx come before the one that counts: RFC 9110, 15.2.
    for (int interim = 0; interim <= max_interim; ++interim) {
      http::response_parser<http::string_body> parser;
      parser.body_limit(max_body_);
      auto [unread, read] = co_await http::async_read(stream, buffer_, parser, await);
      bool enough = !unread || (status_alone && parser.is_header_done());
      if (!enough) co_return no_response("the answer broke off: " + unread.message());
      auto status = parser.get().result_int();
      bool is_interim = status < 200 && status != 101;
      if (is_interim && !unread) continue;
      reusable_ = !unread && parser.keep_alive() && status >= 200;
      used_ = std::chrono::steady_clock::now();
      co_return response_of(parser.release());
    }
    co_return no_response("the answer has too many parts of 1xx");
  }

  // Whether nothing came since the last answer: neither the end nor bytes without a request.
  bool quiet() {
    char byte;
    error_code nothing;
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
  const std::size_t max_body_;
  bool reusable_ = false;
  Deadline used_;
};

HttpClient::HttpClient(asio::io_context& context, HttpOrigin origin, std::size_t max_body,
                       AddressLookup::Ask lookup)
    : context_(context),
      tls_(asio::ssl::context::tls_client),
      origin_(std::move(origin)),
      host_(host_of(origin_)),
      max_body_(max_body),
      lookup_(lookup ? std::move(lookup) : system_lookup(host_, origin_.port)),
      gate_(context, max_open, max_waiting) {
  if (!origin_.tls) return;
  tls_.set_default_verify_paths();
  tls_.set_verify_mode(asio::ssl::verify_peer);
}

HttpClient::~HttpClient() = default;

Awaitable<Result<HttpResponse>> HttpClient::send(HttpRequest request, Deadline deadline) {
  SameWork same;
  auto pass = co_await gate_.enter(deadline);
  if (!pass) co_return no_response("no connection was free in time");
  auto connection = idle();
  if (!connection) {
    connection = std::make_unique<KeptConnection>(*this);
    auto failed = co_await connection->open(lookup_, host_, deadline);
    if (failed)
      co_return no_response("cannot reach " + origin_.authority() + ": " + failed.message());
  }
  bool status_alone = request.status_alone;
  auto response = co_await connection->exchange(
      beast_request(std::move(request), origin_.authority()), deadline, status_alone);
  if (connection->reusable()) idle_.push_back(std::move(connection));
  while (!idle_.empty() && !idle_.front()->fresh()) idle_.erase(idle_.begin());
  co_return response;
}

std::unique_ptr<HttpClient::KeptConnection> HttpClient::idle() {
  while (!idle_.empty()) {
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    if (connection->fresh()) return connection;
  }
  return {};
}

}  // namespace quire
