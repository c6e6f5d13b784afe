// The page index in a file of LMDB. Several processes may have its directory open at once; one or
// two of them may write.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "loop/loop.h"
#include "page_index/lmdb/databases.h"
#include "page_index/lmdb/edit.h"
#include "page_index/page_index.h"

namespace quire::page_index {

// Reads run on the thread of the caller and never wait. Writes run on a thread of the index, one
// transaction per call, and are on disk when the call completes; a write waits without limit while
// another process writes. Damaged data is the error `unavailable`.
// No call may be running when the index is destroyed.
class LmdbIndex : public PageIndex {
 public:
  static constexpr std::size_t max_waiting = 64;  // writes; more writes are unavailable

  // Access::write makes a missing directory and index. Access::read opens the index at the first
  // request, and refuses writes; as long as there is no index, state() is `empty`, and the requests
  // find an index that is made later. A process must not open a directory twice.
  static Result<std::unique_ptr<LmdbIndex>> open(const std::string& directory, Access access);

  bool holds_facets() const override { return true; }
  Awaitable<Result<change::State>> state() override;
  Awaitable<Result<bool>> apply(change::Step step) override;
  Awaitable<Status> reset(change::State state) override;
  Awaitable<Result<bool>> change_phase(std::string epoch, change::Phase from,
                                       change::Phase to) override;

  std::unique_ptr<Ranks> ranks() override;
  Result<std::unique_ptr<FacetView>> facet_view() override;
  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override;
  Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) override;
  Awaitable<Status> put(std::vector<change::Change> changes) override;
  Awaitable<Result<Schema>> declared() override;
  Awaitable<Status> declare(Redeclare change) override;
  Awaitable<Result<IndexedWords>> words() override;
  Awaitable<Status> want_words() override;
  Awaitable<Status> drop_words() override;

 private:
  LmdbIndex(const std::string& directory, Access access);

  // A slot in the queue of writes. Its destructor frees the slot.
  struct FreeSlot {
    void operator()(std::atomic<std::size_t>* waiting) const { --*waiting; }
  };
  using QueueSlot = std::unique_ptr<std::atomic<std::size_t>, FreeSlot>;

  template <class T, class Work>
  Awaitable<Result<T>> write(Work work);
  template <class T, class Work>
  Awaitable<Result<T>> commit(Work work, QueueSlot slot);

  Directory directory_;
  std::atomic<std::size_t> waiting_ = 0;
  std::optional<LoopThread> writer_;  // with Access::write
};

}  // namespace quire::page_index
