#include "http/server/server.h"

#include <sched.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "loop/awaitable.h"

namespace quire::http {
namespace {

namespace asio = boost::asio;

constexpr std::size_t max_bodies = 64 * 1024 * 1024;  // bytes of requests under way

unsigned cores() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0
             ? static_cast<unsigned>(CPU_COUNT(&allowed))
             : 1;
}

std::vector<std::unique_ptr<EventLoop>> make_loops(unsigned threads, Metrics& metrics,
                                                   LogWriter* access_log) {
  std::vector<std::unique_ptr<EventLoop>> loops;
  for (unsigned i = 0; i < (threads ? threads : cores()); ++i) {
    loops.push_back(std::make_unique<EventLoop>(metrics, access_log));
  }
  return loops;
}

std::size_t connections_of_one(const ServerLimits& limits) {
  if (limits.connections_client > 0) return limits.connections_client;
  return std::max<std::size_t>(limits.connections / 10, 100);
}

}  // namespace

Server::Server(RequestHandler& handler, Metrics& metrics, ServerOptions options)
    : handler_(handler),
      options_(std::move(options)),
      max_connections_(options_.limits.connections),
      shared_{handler,
              metrics,
              options_.trusted_proxies,
              options_.timeouts,
              Budget(options_.limits.unsent, metrics.unsent_bytes),
              Budget(max_bodies, metrics.body_bytes)},
      clients_(connections_of_one(options_.limits), options_.trusted_proxies),
      loops_(make_loops(options_.threads, metrics, options_.access_log)),
      acceptor_(loops_.front()->context, options_.listen),
      grace_(loops_.front()->context) {}

void Server::set(const ServerLimits& limits) {
  max_connections_ = limits.connections;
  shared_.unsent.set_max(limits.unsent);
  clients_.set_max(connections_of_one(limits));
}

void Server::run() {
  for (auto& loop : loops_) asio::post(loop->context, [&loop = *loop] { loop.tick(); });
  asio::co_spawn(loops_.front()->context, accept(), asio::detached);
  auto run = [this](EventLoop& loop) {
    handler_times = &shared_.metrics.handler_times;
    Turns::Here here(loop.turns);
    loop.context.run();
    handler_times = nullptr;
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < loops_.size(); ++i) {
    threads.emplace_back([&run, &loop = *loops_[i]] { run(loop); });
  }
  run(*loops_.front());
  for (auto& thread : threads) thread.join();
}

Awaitable<void> Server::accept() {
  while (acceptor_.is_open()) {
    auto loop = next_++ % loops_.size();
    Connection::Socket::endpoint_type peer;
    auto [failed, socket] = co_await acceptor_.async_accept(loops_[loop]->context, peer, await);
    if (stopped_) co_return;
    if (failed) {
      // Most likely the process is out of descriptors: wait until connections end.
      spdlog::warn("cannot accept a connection: {}", failed.message());
      asio::steady_timer pause(acceptor_.get_executor(), std::chrono::milliseconds(100));
      co_await pause.async_wait(await);
      continue;
    }
    if (auto client = clients_.enter(peer.address())) {
      admit({std::move(socket), std::move(*client), loop});
    } else {
      shared_.metrics.connections_refused_client->Increment();
    }
  }
}

void Server::admit(Newcomer newcomer) {
  if (++open_ <= max_connections_) return start(std::move(newcomer));
  auto at = newcomer.loop;
  asio::post(loops_[at]->context, [this, at, newcomer = std::move(newcomer)]() mutable {
    make_room(std::move(newcomer), at);
  });
}

// Runs on the loop `at`. Closes the connection whose client has been silent longest. If no
// connection of this loop waits for its client, the next loop is asked.
void Server::make_room(Newcomer newcomer, std::size_t at) {
  if (stopped_) return count_ended();
  if (loops_[at]->close_silent()) {
    shared_.metrics.connections_displaced->Increment();
    return start(std::move(newcomer));
  }
  at = (at + 1) % loops_.size();
  if (at == newcomer.loop) {
    shared_.metrics.connections_refused->Increment();
    return count_ended();
  }
  asio::post(loops_[at]->context, [this, at, newcomer = std::move(newcomer)]() mutable {
    make_room(std::move(newcomer), at);
  });
}

void Server::start(Newcomer newcomer) {
  EventLoop& loop = *loops_[newcomer.loop];
  asio::post(loop.context, [this, &loop, newcomer = std::move(newcomer)]() mutable {
    if (loop.stopping) return count_ended();
    auto connection = std::make_unique<Connection>(std::move(newcomer.socket),
                                                   std::move(newcomer.client), loop, shared_);
    asio::co_spawn(loop.context, Connection::serve(std::move(connection)),
                   [this](const std::exception_ptr& failure) {
                     if (failure) spdlog::error("a connection ended by a failure");
                     count_ended();
                   });
  });
}

// After the last connection a stop need not wait for the end of `grace`.
void Server::count_ended() {
  if (--open_ > 0 || !stopped_) return;
  asio::post(loops_.front()->context, [this] { grace_.cancel(); });
}

// The loops know first, so that an answer for which a client waited ends its connection.
void Server::drain() {
  for (auto& loop : loops_) asio::post(loop->context, [&loop = *loop] { loop.draining = true; });
  handler_.stop();
}

void Server::stop() {
  bool again = stopped_.exchange(true);
  asio::post(loops_.front()->context, [this, again] {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    if (open_ == 0) return;
    grace_.expires_after(again ? std::chrono::seconds(0) : grace);
    grace_.async_wait([this](boost::system::error_code cancelled) {
      if (cancelled) return;
      for (auto& loop : loops_) asio::post(loop->context, [&loop = *loop] { loop.abandon(); });
    });
  });
  for (auto& loop : loops_) asio::post(loop->context, [&loop = *loop] { loop.stop(); });
  handler_.stop();
}

}  // namespace quire::http
