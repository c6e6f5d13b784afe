// Ranks of a page index that are given up at a deadline, so that a page that can do without
// numbers does not wait for them.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <memory>

#include "page_index/ranks.h"

namespace quire::lists {

// A question that is given up goes on by itself, on the loop that asked it, and owns what it needs;
// only the index must outlive it. After one question was given up, no other may be asked.
class RanksWithDeadline : public Ranks {
 public:
  using Time = boost::asio::steady_timer::time_point;

  RanksWithDeadline(std::unique_ptr<Ranks> ranks, Time deadline)
      : ranks_(std::move(ranks)), deadline_(deadline) {}

  // Whether a question was given up.
  bool late() const { return late_; }

  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                        std::span<const Cell> lists) override;
  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) override;
  Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      const Ulid& id) override;
  Awaitable<Result<Ulid>> nth_of_union(std::string_view product, std::span<const Cell> lists,
                                       std::uint64_t length, std::uint64_t n) override;

 private:
  template <class T, class Question>
  Awaitable<Result<T>> ask(Question question);

  const std::shared_ptr<Ranks> ranks_;
  const Time deadline_;
  bool late_ = false;
};

}  // namespace quire::lists
