// An HTTP server that answers from a list. It runs on the loop of those who ask it.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <deque>
#include <string>
#include <vector>

#include "client/http_client.h"
#include "one_loop.h"

namespace quire {

class ScriptedServer {
 public:
  enum class Then { stay, close, reset };
  struct Answer {
    std::string bytes;  // sent as they are
    Then then = Then::stay;
  };
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  // On a free port of this machine; with `tls` it speaks nothing else.
  explicit ScriptedServer(boost::asio::io_context& context,
                          boost::asio::ssl::context* tls = nullptr,
                          const std::string& address = "127.0.0.1")
      : acceptor_(context, {boost::asio::ip::make_address(address), 0}),
        held_(context, boost::asio::steady_timer::time_point::max()),
        tls_(tls) {
    boost::asio::co_spawn(context, accept(), boost::asio::detached);
  }

  std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }

  void answers(std::string bytes, Then then = Then::stay) {
    script_.push_back({std::move(bytes), then});
  }
  // No request is answered before so many have come.
  void hold(std::size_t until) { hold_ = until; }
  void release() {
    hold_ = 0;
    held_.cancel();
  }

  std::size_t accepted() const { return accepted_; }
  const std::vector<Request>& requests() const { return requests_; }

 private:
  static constexpr auto await = boost::asio::as_tuple(boost::asio::use_awaitable);

  Awaitable<void> accept() {
    for (;;) {
      auto [failed, socket] = co_await acceptor_.async_accept(await);
      if (failed) co_return;
      ++accepted_;
      auto executor = acceptor_.get_executor();
      if (tls_)
        boost::asio::co_spawn(executor, serve_tls(std::move(socket)), boost::asio::detached);
      else
        boost::asio::co_spawn(executor, serve(std::move(socket)), boost::asio::detached);
    }
  }

  Awaitable<void> serve_tls(boost::asio::ip::tcp::socket socket) {
    boost::beast::ssl_stream<boost::asio::ip::tcp::socket> stream(std::move(socket), *tls_);
    auto [refused] = co_await stream.async_handshake(boost::asio::ssl::stream_base::server, await);
    if (!refused) co_await serve(std::move(stream));
  }

  // Until nothing is left in the script: then it is silent.
  template <class Stream>
  Awaitable<void> serve(Stream stream) {
    boost::beast::flat_buffer buffer;
    for (;;) {
      Request request;
      auto [ended, size] = co_await boost::beast::http::async_read(stream, buffer, request, await);
      if (ended) co_return;
      requests_.push_back(std::move(request));
      if (requests_.size() >= hold_) held_.cancel();
      while (requests_.size() < hold_) co_await held_.async_wait(await);
      if (script_.empty()) continue;
      auto [bytes, then] = std::move(script_.front());
      script_.pop_front();
      co_await boost::asio::async_write(stream, boost::asio::buffer(bytes), await);
      auto& socket = boost::beast::get_lowest_layer(stream);
      if (then == Then::reset) socket.set_option(boost::asio::socket_base::linger(true, 0));
      if (then != Then::stay) co_return;
    }
  }

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer held_;
  boost::asio::ssl::context* tls_;
  std::deque<Answer> script_;
  std::size_t hold_ = 0;
  std::size_t accepted_ = 0;
  std::vector<Request> requests_;
};

inline std::string success(const std::string& body, const std::string& headers = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers +
         "\r\n" + body;
}

}  // namespace quire
