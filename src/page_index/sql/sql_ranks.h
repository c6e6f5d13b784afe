// Questions by rank to a page index in SQL.
#pragma once

#include "page_index/ranks.h"
#include "page_index/sql/database/pool.h"

namespace quire::sql {

// Serves one request. Each question sees one moment. The pool must outlive it.
class SqlRanks : public Ranks {
 public:
  explicit SqlRanks(Pool& pool) : pool_(pool) {}

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
  // The question runs on a thread of the pool, so it must own its arguments.
  template <class T, class Question>
  Awaitable<Result<T>> ask(std::string_view product, Question question);

  Pool& pool_;
};

}  // namespace quire::sql
