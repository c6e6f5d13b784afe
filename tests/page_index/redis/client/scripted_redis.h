// A server that sends the replies of a test. It runs on the loop of its clients.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "one_loop.h"
#include "page_index/redis/client/reply.h"

namespace quire::redis {

using Words = std::vector<std::string>;

struct Scripted {
  enum class Then { stay, close, reset };
  std::string bytes;  // the bytes to send
  Then then = Then::stay;
};

class ScriptedRedis {
 public:
  // Absent: the server does not reply.
  using Answer = std::function<std::optional<Scripted>(const Words&)>;

  explicit ScriptedRedis(boost::asio::io_context& context)
      : acceptor_(context, {boost::asio::ip::make_address("127.0.0.1"), 0}) {
    boost::asio::co_spawn(context, accept(), boost::asio::detached);
  }

  std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }

  // The reply to a request. The default is the last word of the request.
  void answers(Answer answer) { answer_ = std::move(answer); }
  // The reply to the INFO with which each connection begins. The default is a refusal.
  void info(std::string bytes) { info_ = std::move(bytes); }
  // The server replies only after so many requests.
  void hold(std::size_t until) { hold_ = until; }
  void release() {
    hold_ = 0;
    for (const auto& each : connections_) each->changed.cancel();
  }

  std::size_t accepted() const { return connections_.size(); }
  // All requests but the INFO of connections.
  const std::vector<Words>& questions() const { return questions_; }

 private:
  static constexpr auto await = boost::asio::as_tuple(boost::asio::use_awaitable);

  struct Connection {
    boost::asio::ip::tcp::socket socket;
    boost::asio::steady_timer changed;
    std::deque<Words> unanswered = {};
    bool ended = false;
  };
  using Shared = std::shared_ptr<Connection>;

  Awaitable<void> accept() {
    auto executor = acceptor_.get_executor();
    for (;;) {
      auto [failed, socket] = co_await acceptor_.async_accept(await);
      if (failed) co_return;
      connections_.push_back(std::make_shared<Connection>(
          std::move(socket),
          boost::asio::steady_timer(executor, boost::asio::steady_timer::time_point::max())));
      boost::asio::co_spawn(executor, read(connections_.back()), boost::asio::detached);
      boost::asio::co_spawn(executor, answer(connections_.back()), boost::asio::detached);
    }
  }

  Awaitable<void> read(Shared connection) {
    Replies questions;  // a request has the form of a reply
    std::array<char, 4096> buffer;
    for (;;) {
      auto [ended, size] =
          co_await connection->socket.async_read_some(boost::asio::buffer(buffer), await);
      questions.feed({buffer.data(), ended ? 0 : size});
      for (auto question = questions.next(); question; question = questions.next()) {
        connection->unanswered.emplace_back();
        for (const auto& word : question->list) connection->unanswered.back().push_back(word.bytes);
        if (!asks_memory(connection->unanswered.back()))
          questions_.push_back(connection->unanswered.back());
      }
      if (questions_.size() >= hold_) release();
      connection->ended = static_cast<bool>(ended);
      connection->changed.cancel();
      if (ended) co_return;
    }
  }

  Awaitable<void> answer(Shared connection) {
    while (!connection->ended) {
      bool held = !connection->unanswered.empty() && hold_ > 0 &&
                  !asks_memory(connection->unanswered.front());
      if (connection->unanswered.empty() || held) {
        co_await connection->changed.async_wait(await);
        continue;
      }
      auto words = std::move(connection->unanswered.front());
      connection->unanswered.pop_front();
      auto answer = asks_memory(words) ? std::optional(Scripted{info_}) : answer_(words);
      if (!answer) continue;
      co_await boost::asio::async_write(connection->socket, boost::asio::buffer(answer->bytes),
                                        await);
      if (answer->then == Scripted::Then::stay) continue;
      if (answer->then == Scripted::Then::reset)
        connection->socket.set_option(boost::asio::socket_base::linger(true, 0));
      connection->socket.close();
    }
  }

  static bool asks_memory(const Words& words) { return words.at(0) == "INFO"; }

  boost::asio::ip::tcp::acceptor acceptor_;
  Answer answer_ = [](const Words& words) { return Scripted{"+" + words.back() + "\r\n"}; };
  std::string info_ = "-NOPERM this user may not\r\n";
  std::size_t hold_ = 0;
  std::vector<Shared> connections_;
  std::vector<Words> questions_;
};

}  // namespace quire::redis
