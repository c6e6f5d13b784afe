// A page index in a file: one directory, which several processes may have open at once, one or two
// of them to write.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "loop/loop.h"
#include "page_index/lmdb/databases.h"
#include "page_index/lmdb/edit.h"
#include "page_index/page_index.h"

namespace quire::page_index {

// Reading never waits for anybody, and happens on the caller's thread. Writing happens on a thread
// of the index's own, one transaction a call, on disk when it completes; while another process
// writes it waits, as long as that takes. Damaged data is an error, `unavailable`.
// Nothing may be under way when it is destroyed.
class LmdbIndex : public PageIndex {
 public:
  static constexpr std::size_t most_waiting = 64;  // writes; more are refused as unavailable

  // With Access::write the directory and the index are made if need be. With Access::read nothing
  // is opened before it is asked for, and what writes is refused; as long as there is no index
  // state() says `empty`, and one that is made later is found. A process must not have one
  // directory open twice.
  static Result<std::unique_ptr<LmdbIndex>> open(const std::string& directory, Access access);

  Awaitable<Result<change::State>> state() override;
  Awaitable<Result<bool>> apply(change::Step step) override;
  Awaitable<Status> reset(change::State state) override;
  Awaitable<Result<bool>> turn(std::string epoch, change::Phase from, change::Phase to) override;

  std::unique_ptr<Ranks> ranks() override;
  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override;
  Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) override;
  Awaitable<Status> put(std::vector<change::Change> changes) override;

 private:
  LmdbIndex(const std::string& directory, Access access);

  // A place among those that wait to write; given back when it goes.
  struct GiveBack {
    void operator()(std::atomic<std::size_t>* waiting) const { --*waiting; }
  };
  using Place = std::unique_ptr<std::atomic<std::size_t>, GiveBack>;

  template <class T, class Work>
  Awaitable<Result<T>> write(Work work);
  template <class T, class Work>
  Awaitable<Result<T>> commit(Work work, Place place);

  Directory directory_;
  std::atomic<std::size_t> waiting_ = 0;
  std::optional<Loop> writer_;  // when opened to write
};

}  // namespace quire::page_index
