#include "store/embedded/writer.h"

#include <algorithm>

namespace quire::embedded {

Writer::Writer(const Databases& databases) : databases_(databases), thread_([this] { loop(); }) {}

Writer::~Writer() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

bool Writer::push(std::unique_ptr<Job>& job) {
  {
    std::lock_guard lock(mutex_);
    if (stopping_ || queue_.size() == max_queued) return false;
    queue_.push_back(std::move(job));
  }
  wake_.notify_one();
  return true;
}

void Writer::loop() {
  for (;;) {
    std::vector<std::unique_ptr<Job>> group;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), max_group));
      group.assign(std::move_iterator(queue_.begin()), std::move_iterator(end));
      queue_.erase(queue_.begin(), end);
    }
    commit(group);
  }
}

void Writer::commit(Group& group) {
  auto failed = write(group);
  if (failed && failed->damaged && group.size() > 1) {
    for (auto& job : group) {
      Group one;
      one.push_back(std::move(job));
      commit(one);
    }
    return;
  }
  for (auto& job : group) job->finish(failed ? &failed->error : nullptr);
}

std::optional<Writer::Failed> Writer::write(Group& group) try {
  lmdb::WriteTransaction txn(*databases_.environment);
  Edit edit(databases_, txn);
  for (auto& job : group) job->apply(edit);
  txn.commit();
  return {};
} catch (const lmdb::Failure& failure) {
  bool damaged = failure.code() == MDB_CORRUPTED || failure.code() == MDB_PAGE_NOTFOUND;
  return Failed{explain(failure), damaged};
} catch (const std::exception& damaged) {
  databases_.damage.meet("a row that a write needs");
  return Failed{
      {ErrorCode::unavailable, std::string("The write was given up: ") + damaged.what() + "."},
      true};
}

}  // namespace quire::embedded
