// Reads the lists of one product at one moment.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "page_index/ranks.h"
#include "page_index/sql/connection.h"

namespace quire::sql {

// Walks each list from its nearer end, along the index that has the list in order.
class ListReader {
 public:
  ListReader(Connection& connection, std::string product);

  std::vector<std::uint64_t> lengths(std::span<const Cell> lists);
  std::vector<std::vector<Ulid>> slices(std::span<const RankRange> ranges);
  std::vector<std::uint64_t> ranks(std::span<const Cell> lists, const Ulid& id);
  std::vector<Probe> probe(std::span<const Cell> lists, std::span<const Pivot> pivots);
  // Nothing: the lists are shorter than n + 1 ids.
  std::optional<Ulid> nth_of_union(std::span<const Cell> lists,
                                   std::span<const std::uint64_t> lengths, std::uint64_t n);

 private:
  struct Extent {
    std::map<Cell, std::uint64_t> counts;
    Ulid oldest, newest;  // of all comments of the product; equal if there are none
  };
  const Extent& extent();
  std::uint64_t length(const Cell& list);
  // "FROM … WHERE …", which selects the rows of a list.
  std::string rows_of(const Cell& list) const;
  // A query for the ids of the union in no order, at most `max` of each list.
  std::string gathered(std::span<const Cell> lists, const char* order, std::uint64_t max) const;
  // A query for the same ids from the list of the whole product, and whether that is less work.
  std::string filtered(std::span<const Cell> lists) const;
  bool filtering_is_cheaper(std::span<const std::uint64_t> lengths, std::uint64_t max);

  Connection& connection_;
  std::string product_;  // as a literal
  // All statements of a question see one moment, so their results may be kept.
  std::optional<Transaction> transaction_;
  std::optional<Extent> extent_;
};

}  // namespace quire::sql
