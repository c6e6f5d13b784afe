#include "listing/lists/ranks_with_deadline.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <string>

namespace quire::lists {
namespace {

namespace asio = boost::asio;

template <class T>
struct Asked {
  asio::steady_timer waits;
  std::optional<Result<T>> answer = {};
};

template <class T, class Question>
Awaitable<void> put(std::shared_ptr<Ranks> ranks, Question question,
                    std::shared_ptr<Asked<T>> asked) {
  try {
    auto answer = co_await question(*ranks);
    asked->answer.emplace(std::move(answer));
  } catch (const std::exception& failed) {  // whoever waits must learn of it
    asked->answer.emplace(Error{ErrorCode::unavailable, failed.what()});
  }
  asked->waits.cancel();
}

template <class T>
std::vector<T> own(std::span<const T> items) {
  return {items.begin(), items.end()};
}

}  // namespace

template <class T, class Question>
Awaitable<Result<T>> RanksWithDeadline::ask(Question question) {
  auto executor = co_await asio::this_coro::executor;
  auto asked = std::make_shared<Asked<T>>(asio::steady_timer(executor, deadline_));
  asio::co_spawn(executor, put<T>(ranks_, std::move(question), asked), asio::detached);
  boost::system::error_code cancelled;
  if (!asked->answer)
    co_await asked->waits.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  if (asked->answer) co_return std::move(*asked->answer);
  late_ = true;
  co_return Error{ErrorCode::unavailable, "The page index takes too long to answer."};
}

Awaitable<Result<std::vector<std::uint64_t>>> RanksWithDeadline::lengths(
    std::string_view product, std::span<const Cell> lists) {
  return ask<std::vector<std::uint64_t>>(
      [product = std::string(product), lists = own(lists)](Ranks& ranks) {
        return ranks.lengths(product, lists);
      });
}

Awaitable<Result<std::vector<std::vector<Ulid>>>> RanksWithDeadline::slices(
    std::string_view product, std::span<const RankRange> ranges) {
  return ask<std::vector<std::vector<Ulid>>>(
      [product = std::string(product), ranges = own(ranges)](Ranks& ranks) {
        return ranks.slices(product, ranges);
      });
}

Awaitable<Result<std::vector<std::uint64_t>>> RanksWithDeadline::ranks(std::string_view product,
                                                                       std::span<const Cell> lists,
                                                                       const Ulid& id) {
  return ask<std::vector<std::uint64_t>>(
      [product = std::string(product), lists = own(lists), id](Ranks& ranks) {
        return ranks.ranks(product, lists, id);
      });
}

Awaitable<Result<Ulid>> RanksWithDeadline::nth_of_union(std::string_view product,
                                                        std::span<const Cell> lists,
                                                        std::uint64_t length, std::uint64_t n) {
  return ask<Ulid>([product = std::string(product), lists = own(lists), length, n](Ranks& ranks) {
    return ranks.nth_of_union(product, lists, length, n);
  });
}

}  // namespace quire::lists
