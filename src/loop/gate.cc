#include "loop/gate.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace quire {

namespace asio = boost::asio;

Awaitable<Gate::Pass> Gate::enter(Deadline deadline) {
  if (inside_ < most_inside_) {
    ++inside_;
    co_return Pass(this);
  }
  if (waiting_.size() >= most_waiting_) co_return Pass();
  Turn turn{asio::steady_timer(context_, deadline)};
  waiting_.push_back(&turn);
  boost::system::error_code cancelled;
  co_await turn.timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  if (turn.granted) co_return Pass(this);
  std::erase(waiting_, &turn);
  co_return Pass();
}

// Who leaves hands the place to the next in the queue.
void Gate::leave() {
  if (waiting_.empty()) {
    --inside_;
    return;
  }
  Turn* next = waiting_.front();
  waiting_.pop_front();
  next->granted = true;
  next->timer.cancel();
}

}  // namespace quire
