#include "loop/gate.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace quire {

namespace asio = boost::asio;

Awaitable<Gate::Pass> Gate::enter(Deadline deadline) {
  if (inside_ < max_inside_) {
    ++inside_;
    co_return Pass(this);
  }
  auto client = work_of;
  if (is_full(client)) co_return Pass();
  SameWork same;
  Waiter waiter{asio::steady_timer(context_, deadline)};
  waiting_.add(client, &waiter);
  boost::system::error_code cancelled;
  co_await waiter.timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  if (waiter.granted) co_return Pass(this);
  waiting_.remove(client, &waiter);
  co_return Pass();
}

// Passes the right to be inside to the first waiter of the next line.
void Gate::leave() {
  if (waiting_.empty()) {
    --inside_;
    return;
  }
  Waiter* next = waiting_.take().second;
  next->granted = true;
  next->timer.cancel();
}

}  // namespace quire
