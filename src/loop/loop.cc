#include "loop/loop.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

namespace quire {

namespace asio = boost::asio;

Awaitable<void> work_for(std::uint64_t client, Awaitable<void> work) {
  work_of = client;
  co_await std::move(work);
}

Awaitable<void> LoopThread::complete(Awaitable<void> work) {
  SameWork same;
  co_await asio::co_spawn(context_, work_for(work_of, std::move(work)), asio::use_awaitable);
}

Awaitable<void> pause(Milliseconds time) {
  SameWork same;
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  boost::system::error_code cancelled;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
}

Awaitable<void> all_complete(std::vector<Awaitable<void>> works) {
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  if (works.size() == 1) {
    co_await std::move(works.front());
    co_return;
  }
  SameWork same;
  asio::steady_timer ended(co_await asio::this_coro::executor,
                           asio::steady_timer::time_point::max());
  std::exception_ptr failure;
  std::size_t running = works.size();
  for (auto& work : works) {
    asio::co_spawn(ended.get_executor(), work_for(work_of, std::move(work)),
                   [&](std::exception_ptr thrown) {
                     if (thrown) failure = thrown;
                     if (--running == 0) ended.cancel();
                   });
  }
  while (running > 0) {
    boost::system::error_code cancelled;
    co_await ended.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
  if (failure) std::rethrow_exception(failure);
}

void wait(Awaitable<void> work) {
  asio::io_context context(1);
  std::exception_ptr failure;
  asio::co_spawn(context, std::move(work), [&](std::exception_ptr thrown) { failure = thrown; });
  context.run();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace quire
