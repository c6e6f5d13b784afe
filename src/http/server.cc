#include "http/server.h"

#include <sched.h>
#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "loop/await.h"

namespace quire::http {
namespace {

namespace asio = boost::asio;

unsigned cores() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0
             ? static_cast<unsigned>(CPU_COUNT(&allowed))
             : 1;
}

std::vector<std::unique_ptr<Loop>> make_loops(unsigned threads, Metrics& metrics,
                                              LogWriter* access_log) {
  std::vector<std::unique_ptr<Loop>> loops;
  for (unsigned i = 0; i < (threads ? threads : cores()); ++i) {
    loops.push_back(std::make_unique<Loop>(metrics, access_log));
  }
  return loops;
}

}  // namespace

Server::Server(Answering& application, Metrics& metrics, ServerOptions options)
    : application_(application),
      shared_{application, metrics, options.trusted_proxies, options.timeouts},
      options_(std::move(options)),
      loops_(make_loops(options_.threads, metrics, options_.access_log)),
      acceptor_(loops_.front()->context, options_.listen),
      grace_(loops_.front()->context) {}

void Server::run() {
  for (auto& loop : loops_) asio::post(loop->context, [&loop = *loop] { loop.start(); });
  asio::co_spawn(loops_.front()->context, accept(), asio::detached);
  auto run = [this](Loop& loop) {
    handler_times = &shared_.metrics.handler_times;
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
    Loop& loop = next_loop();
    auto [failed, socket] = co_await acceptor_.async_accept(loop.context, await);
    if (stopped_) co_return;
    if (failed) {
      // Out of descriptors, most likely: wait for connections to end rather than spin.
      spdlog::warn("cannot accept a connection: {}", failed.message());
      asio::steady_timer pause(acceptor_.get_executor(), std::chrono::milliseconds(100));
      co_await pause.async_wait(await);
      continue;
    }
    if (open_ >= options_.most_connections) {
      shared_.metrics.connections_refused->Increment();
      continue;  // closes the socket
    }
    ++open_;
    asio::post(loop.context, [this, &loop, socket = std::move(socket)]() mutable {
      if (loop.stopping) return ended();
      auto connection = std::make_unique<Connection>(std::move(socket), loop, shared_);
      asio::co_spawn(loop.context, Connection::serve(std::move(connection)),
                     [this](const std::exception_ptr& failure) {
                       if (failure) spdlog::error("a connection ended by a failure");
                       ended();
                     });
    });
  }
}

// After the last connection nothing is waited for.
void Server::ended() {
  if (--open_ > 0 || !stopped_) return;
  asio::post(loops_.front()->context, [this] { grace_.cancel(); });
}

void Server::stop() {
  bool again = stopped_.exchange(true);
  application_.stop();
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
}

}  // namespace quire::http
