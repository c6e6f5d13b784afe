#include "dynamodb/lookup.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <optional>
#include <vector>

#include "loop/await.h"

namespace quire::dynamodb {

namespace asio = boost::asio;

struct Lookup::Question {
  std::optional<Found> found;
  std::vector<asio::steady_timer*> waiting;  // a timer of each caller, for its deadline
};

Awaitable<Lookup::Found> Lookup::addresses(Deadline deadline) {
  auto executor = co_await asio::this_coro::executor;
  if (!question_ || question_->found) {
    question_ = std::make_shared<Question>();
    asio::co_spawn(executor, answer(question_, ask_), asio::detached);
  }
  auto question = question_;
  asio::steady_timer timer(executor, deadline);
  question->waiting.push_back(&timer);
  if (!question->found) co_await timer.async_wait(await);
  std::erase(question->waiting, &timer);
  if (!question->found) co_return Found{asio::error::timed_out, {}};
  co_return *question->found;
}

Awaitable<void> Lookup::answer(std::shared_ptr<Question> question, Ask ask) {
  question->found = co_await ask();
  for (auto* timer : question->waiting) timer->cancel();
}

Lookup::Ask system_lookup(std::string host, std::string port) {
  return [host = std::move(host), port = std::move(port)]() -> Awaitable<Lookup::Found> {
    asio::ip::tcp::resolver resolver(co_await asio::this_coro::executor);
    auto [failed, addresses] = co_await resolver.async_resolve(host, port, await);
    co_return Lookup::Found{failed, addresses};
  };
}

}  // namespace quire::dynamodb
