#include "loop/turns.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace quire {

namespace asio = boost::asio;

namespace {

thread_local Turns* turns_here = nullptr;

}  // namespace

Turns::Here::Here(Turns& turns) {
  turns_here = &turns;
  held_times = &turns.held_;
}

Turns::Here::~Here() {
  turns_here = nullptr;
  held_times = nullptr;
}

Awaitable<void> next_turn() {
  auto executor = co_await asio::this_coro::executor;
  if (turns_here && turns_here->are_of(executor)) {
    co_await turns_here->wait();
    co_return;
  }
  SameWork same;
  co_await asio::post(executor, asio::use_awaitable);
}

bool Turns::are_of(const asio::any_io_executor& executor) const {
  return &asio::query(executor, asio::execution::context) == &context_;
}

template <class Handler>
struct Turns::WorkOf : Work {
  explicit WorkOf(Handler handler) : handler(std::move(handler)) {}
  void go_on() override { asio::dispatch(std::move(handler)); }

  Handler handler;
};

bool Turns::begin(std::uint64_t client) {
  work_of = client;
  end_round_later();
  if (client == 0) return true;
  auto held = held_.find(client);
  return waiting_.of(client) == 0 && (held == held_.end() || held->second < turn);
}

Awaitable<void> Turns::wait() {
  return asio::async_initiate<const asio::use_awaitable_t<>, void()>(
      [this](auto handler) {
        add(std::make_unique<WorkOf<decltype(handler)>>(std::move(handler)));
      },
      asio::use_awaitable);
}

void Turns::add(std::unique_ptr<Work> work) {
  waiting_.add(work_of, std::move(work));
  end_round_later();
}

// The loop runs all handlers that are ready, looks for events, and then comes to the end of the
// round.
void Turns::end_round_later() {
  if (!std::exchange(ends_, true)) asio::post(context_, [this] { end_round(); });
}

// Each work that goes on is a handler of its own: it has a whole turn, and is timed by itself.
void Turns::end_round() {
  ends_ = false;
  held_.clear();
  std::chrono::nanoseconds gone{};
  while (!waiting_.empty() && gone < turn) {
    auto [client, work] = waiting_.take();
    handler_ends();
    handler_begins();
    work_of = client;
    work->go_on();
    gone += std::chrono::steady_clock::now() - handler_begun;
  }
  if (!waiting_.empty()) end_round_later();
}

}  // namespace quire
