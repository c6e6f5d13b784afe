// Times the handlers of Asio. Asio includes this file, because BOOST_ASIO_CUSTOM_HANDLER_TRACKING
// names it, and calls the macros below around each handler. A handler holds its thread, so every
// other connection of the loop waits while it runs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <unordered_map>

namespace quire {

// How long handlers held their thread. Thread-safe.
struct HandlerTimes {
  static constexpr std::chrono::milliseconds long_hold{10};

  std::atomic<std::chrono::nanoseconds> longest{};
  std::atomic<unsigned long> long_holds{};  // handlers that took longer than `long_hold`

  void add(std::chrono::nanoseconds took) {
    if (took > long_hold) ++long_holds;
    auto known = longest.load(std::memory_order_relaxed);
    while (took > known && !longest.compare_exchange_weak(known, took)) {
    }
  }
};

// Collects the times of the handlers of this thread, and must outlive them. nullptr: nobody
// collects.
inline thread_local HandlerTimes* handler_times = nullptr;
// The time at which the current handler of this thread began; zero outside of handlers.
inline thread_local std::chrono::steady_clock::time_point handler_begun{};

// The number of the client for whom the current handler works; 0: no client in particular, as at
// the begin of each handler.
inline thread_local std::uint64_t work_of = 0;
// For how long handlers held this thread, by client; nullptr: nobody asks. See loop/turns.h.
using HeldTimes = std::unordered_map<std::uint64_t, std::chrono::nanoseconds>;
inline thread_local HeldTimes* held_times = nullptr;

inline void handler_begins() {
  handler_begun = std::chrono::steady_clock::now();
  work_of = 0;
}

inline void handler_ends() {
  if (handler_times || held_times) {
    auto took = std::chrono::steady_clock::now() - handler_begun;
    if (handler_times) handler_times->add(took);
    if (held_times && work_of != 0) (*held_times)[work_of] += took;
  }
  handler_begun = {};
}

}  // namespace quire

#define BOOST_ASIO_HANDLER_INVOCATION_BEGIN(args) ::quire::handler_begins()
#define BOOST_ASIO_HANDLER_INVOCATION_END ::quire::handler_ends()

// The other macros that Asio requires do nothing here.
#define BOOST_ASIO_INHERIT_TRACKED_HANDLER
#define BOOST_ASIO_ALSO_INHERIT_TRACKED_HANDLER
#define BOOST_ASIO_HANDLER_TRACKING_INIT (void)0
#define BOOST_ASIO_HANDLER_LOCATION(args) (void)0
#define BOOST_ASIO_HANDLER_CREATION(args) (void)0
#define BOOST_ASIO_HANDLER_COMPLETION(args) (void)0
#define BOOST_ASIO_HANDLER_OPERATION(args) (void)0
#define BOOST_ASIO_HANDLER_REACTOR_REGISTRATION(args) (void)0
#define BOOST_ASIO_HANDLER_REACTOR_DEREGISTRATION(args) (void)0
#define BOOST_ASIO_HANDLER_REACTOR_READ_EVENT 0
#define BOOST_ASIO_HANDLER_REACTOR_WRITE_EVENT 0
#define BOOST_ASIO_HANDLER_REACTOR_ERROR_EVENT 0
#define BOOST_ASIO_HANDLER_REACTOR_EVENTS(args) (void)0
#define BOOST_ASIO_HANDLER_REACTOR_OPERATION(args) (void)0
