#include "cli/serving/supervisor.h"

#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <utility>

#include "base/service_manager.h"

namespace quire::cli {
namespace {

constexpr std::size_t max_kept = 16 * 1024 * 1024;
constexpr std::chrono::seconds trim_every{10};

// A terminal that was closed is none any more.
std::array<bool, 3> terminals() {
  return {isatty(0) == 1, isatty(1) == 1, isatty(2) == 1};
}

}  // namespace

void ignore_early_hangups() {
  if (terminals() == std::array<bool, 3>{}) std::signal(SIGHUP, SIG_IGN);
}

Supervisor::Supervisor(http::Server& server, std::chrono::seconds drain,
                       std::function<void()> reload)
    : stops_(context_, SIGTERM, SIGINT),
      hangups_(context_, SIGHUP),
      timer_(context_),
      drain_end_(context_),
      server_(server),
      drain_(drain),
      reload_(std::move(reload)),
      terminals_(terminals()) {
  wait_for_stop();
  wait_for_hangup();
  trim_memory();
  thread_ = std::thread([this] { context_.run(); });
}

Supervisor::~Supervisor() {
  context_.stop();
  thread_.join();
}

void Supervisor::wait_for_stop() {
  stops_.async_wait([this](boost::system::error_code cancelled, int signal) {
    if (cancelled) return;
    notify_service_manager("STOPPING=1");
    stop_by(signal);
    wait_for_stop();
  });
}

void Supervisor::stop_by(int signal) {
  auto drain = std::exchange(drain_, std::chrono::seconds(0));
  drain_end_.cancel();
  draining_ = false;  // the timer's handler may wait for its turn already
  if (signal != SIGTERM || drain.count() == 0) return server_.stop();
  server_.drain();
  draining_ = true;
  drain_end_.expires_after(drain);
  drain_end_.async_wait([this](boost::system::error_code cancelled) {
    if (!cancelled && draining_) server_.stop();
  });
}

void Supervisor::wait_for_hangup() {
  hangups_.async_wait([this](boost::system::error_code cancelled, int) {
    if (cancelled) return;
    if (terminals() == terminals_) {
      reload_();
    } else {
      stop_by(SIGHUP);
    }
    wait_for_hangup();
  });
}

void Supervisor::trim_memory() {
  if (mallinfo2().fordblks > max_kept) malloc_trim(0);
  timer_.expires_after(trim_every);
  timer_.async_wait([this](boost::system::error_code cancelled) {
    if (!cancelled) trim_memory();
  });
}

}  // namespace quire::cli
