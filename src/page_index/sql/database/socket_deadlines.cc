#include "page_index/sql/database/socket_deadlines.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "page_index/sql/database/failure.h"

namespace quire::sql {

SocketDeadlines::Socket::Socket(SocketDeadlines& deadlines, int socket)
    : deadlines_(deadlines), descriptor_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)) {
  if (descriptor_ < 0)
    throw Unusable("Quire has too many open files. Try again, or raise the limit of its process.");
}

SocketDeadlines::Socket::~Socket() {
  ::close(descriptor_);
}

SocketDeadlines::Wait::Wait(Socket& socket)
    : deadlines_(socket.deadlines_), place_(deadlines_.add(socket.descriptor_)) {}

SocketDeadlines::Wait::~Wait() {
  std::lock_guard lock(deadlines_.mutex_);
  deadlines_.waits_.erase(place_);
}

SocketDeadlines::Waits::iterator SocketDeadlines::add(int descriptor) {
  std::lock_guard lock(mutex_);
  if (!thread_.joinable())
    thread_ = std::jthread([this](const std::stop_token& ending) { watch(ending); });
  return waits_.emplace(Clock::now() + limit_, descriptor);
}

void SocketDeadlines::watch(const std::stop_token& ending) {
  std::unique_lock lock(mutex_);
  while (!ending.stop_requested()) {
    auto now = Clock::now();
    auto in_time = waits_.upper_bound(now);
    for (auto late = waits_.begin(); late != in_time; ++late) ::shutdown(late->second, SHUT_RDWR);
    // A wait that begins later ends later than a limit from now.
    auto next = in_time == waits_.end() ? now + limit_ : in_time->first;
    ended_.wait_until(lock, ending, next, [] { return false; });
  }
}

}  // namespace quire::sql
