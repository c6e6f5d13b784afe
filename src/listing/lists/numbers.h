// The numbers of one listing of lists: from a page index beside the store, or none.
#pragma once

#include <memory>

#include "listing/lists/index_health.h"
#include "listing/lists/segments.h"
#include "page_index/page_index.h"

namespace quire::lists {

// A comment found by its number.
struct Nth {
  std::size_t segment;
  Ulid id;
};

// Where the page index fails, the listing has no numbers from then on, and the answer is absent.
class ListNumbers {
 public:
  // No numbers are kept.
  ListNumbers() = default;
  // No index gives numbers now; `missing` says why.
  explicit ListNumbers(std::string missing) : numbers_{Numbers::Kind::none, std::move(missing)} {}
  // Numbers of an index, which are given up at the deadline. A question that is given up goes on by
  // itself; only the index must outlive it.
  ListNumbers(IndexHealth& health, std::shared_ptr<Ranks> ranks, Deadline deadline);

  const Numbers& numbers() const { return numbers_; }
  bool none() const { return numbers_.kind == Numbers::Kind::none; }

  // Sets the lengths of the plans' lossless lists to those of the index. From then on totals and
  // positions are the index's; lists that are skipped count, too. One round.
  Awaitable<void> measure(std::vector<Segment>& segments);
  // Asks whether the index still gives numbers.
  Awaitable<void> check_again();

  // The n-th comment, counted from 0; n is less than the length of the segments.
  Awaitable<std::optional<Nth>> nth(const std::vector<Segment>& segments, Order order,
                                    std::uint64_t n);
  // How many comments come before `id`, which need not be there, in its segment.
  Awaitable<std::optional<std::uint64_t>> rank(const std::vector<Segment>& segments, Order order,
                                               std::size_t segment, const Ulid& id);

 private:
  // To the index; owns what it needs.
  template <class T>
  using RanksCall = std::function<Awaitable<Result<T>>(Ranks&)>;
  template <class T>
  Awaitable<Result<T>> ask(RanksCall<T> question);
  // The index numbers this listing no more.
  void failed(std::string_view product, const Error& error);
  void lose(std::string missing);

  Numbers numbers_;
  std::shared_ptr<Ranks> ranks_;   // of the index; null: there are no numbers
  IndexHealth* health_ = nullptr;  // of the index
  Deadline deadline_{};
  bool late_ = false;  // a question was given up
};

}  // namespace quire::lists
