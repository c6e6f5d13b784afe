// Ends waits for a server that is silent: shuts the socket down when the time is over, so that the
// wait ends as if the server were gone. PostgreSQL's client library has no limit of its own for a
// server that stands still on a host that answers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

namespace quire::sql {

// Thread-safe. Its thread begins with the first wait.
class SocketDeadlines {
  using Clock = std::chrono::steady_clock;
  using Waits = std::multimap<Clock::time_point, int>;

 public:
  // `limit`: of each wait.
  explicit SocketDeadlines(std::chrono::seconds limit) : limit_(limit) {}

  // A descriptor of its own for a socket, so it is valid when the client's library has closed its
  // descriptor. Throws Unusable. `deadlines` must outlive it.
  class Socket {
   public:
    Socket(SocketDeadlines& deadlines, int socket);
    ~Socket();
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

   private:
    friend class SocketDeadlines;
    SocketDeadlines& deadlines_;
    const int descriptor_;
  };

  // From the constructor to the destructor. `socket` must live so long.
  class Wait {
   public:
    explicit Wait(Socket& socket);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

   private:
    SocketDeadlines& deadlines_;
    Waits::iterator place_;
  };

 private:
  Waits::iterator add(int descriptor);
  void watch(const std::stop_token& ending);

  const std::chrono::seconds limit_;
  std::mutex mutex_;
  std::condition_variable_any ended_;  // nothing else wakes the thread before its time
  Waits waits_;                        // guarded by mutex_; by their ends
  std::jthread thread_;                // the last member: it ends before the others
};

}  // namespace quire::sql
