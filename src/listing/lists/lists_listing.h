// A listing made of lists: its parts are read by plans, and numbered by ranks.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "listing/lists/numbers.h"
#include "listing/lists/parts.h"

namespace quire::lists {

class ListsListing : public Listing {
 public:
  // At least one part.
  ListsListing(View& view, Sort sort, std::vector<Part> parts, ListNumbers numbers,
               Opening opening);

  std::uint64_t total() const override { return length(parts_); }
  const Numbers& numbers() const override { return numbers_.told(); }
  Awaitable<Result<Rows>> read(std::optional<Position> from, Direction direction) override;
  Awaitable<Result<std::optional<Position>>> at(std::uint64_t n) override;
  Awaitable<Result<std::optional<std::uint64_t>>> rank(
      const std::optional<Position>& position) override;
  Explanation explanation() const override;

 private:
  // A position whose rank is known, so that no index is asked for it again.
  struct Ranked {
    std::optional<Position> position;
    std::uint64_t rank;
  };

  std::optional<std::uint64_t> known_rank(const std::optional<Position>& from,
                                          Direction direction) const;
  bool any_behind(std::size_t rows, Direction direction) const;
  Awaitable<Result<std::optional<Position>>> behind(const PartsRead& found, std::size_t rows,
                                                    Position from, Direction direction);

  View& view_;
  const Order order_;
  const Opening opening_;
  std::vector<Part> parts_;
  ListNumbers numbers_;
  std::optional<Ranked> at_;            // what at() found
  int rounds_ = 0;                      // of the page index, in which at() found it
  std::optional<Ranked> first_, last_;  // of the rows read last
  PartsRead read_;                      // the last reading, without its rows
  std::size_t shown_ = 0;               // rows of it
};

}  // namespace quire::lists
