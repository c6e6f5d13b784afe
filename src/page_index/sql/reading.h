// The lists of one product, read at one moment.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "page_index/ranks.h"
#include "page_index/sql/connection.h"

namespace quire::sql {

// What is walked is walked from the end that is closer, along the index that has the list in order.
class Reading {
 public:
  Reading(Connection& connection, std::string product);

  std::vector<std::uint64_t> lengths(std::span<const Cell> lists);
  std::vector<std::vector<Ulid>> slices(std::span<const RankRange> ranges);
  std::vector<std::uint64_t> ranks(std::span<const Cell> lists, const Ulid& id);
  std::vector<Probe> probe(std::span<const Cell> lists, std::span<const Pivot> pivots);
  // Nothing: the lists are not as long as that.
  std::optional<Ulid> nth_of_union(std::span<const Cell> lists,
                                   std::span<const std::uint64_t> lengths, std::uint64_t n);

 private:
  struct Extent {
    std::map<Cell, std::uint64_t> counts;
    Ulid oldest, newest;  // of all its comments; the same if there are none
  };
  const Extent& extent();
  std::uint64_t length(const Cell& list);
  // "FROM … WHERE …": the list's rows.
  std::string rows_of(const Cell& list) const;
  // Ids of the union, of each list at most so many, without an order.
  std::string gathered(std::span<const Cell> lists, const char* order, std::uint64_t most) const;
  // The same ids from the list of the whole product; and whether that is less work.
  std::string filtered(std::span<const Cell> lists) const;
  bool filtering_is_cheaper(std::span<const std::uint64_t> lengths, std::uint64_t most);

  Connection& connection_;
  std::string product_;  // as a literal
  // Questions that take several statements see one moment; and what one has told holds for all.
  std::optional<Transaction> moment_;
  std::optional<Extent> extent_;
};

}  // namespace quire::sql
