#include "store/embedded/writer.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/try.h"
#include "store/embedded/words.h"
#include "word_index/state.h"

namespace quire::embedded {
namespace {

using namespace std::chrono_literals;

constexpr auto look = 1s;          // how often facets declared by another process are noticed
constexpr auto slice = 5ms;        // of building, while writes wait
constexpr auto long_slice = 50ms;  // while none waits: fewer flushes to disk
constexpr auto rest = 30s;         // after building has failed

Error too_many() {
  return {ErrorCode::unavailable, "Too many writes are waiting. Try again in a moment."};
}

}  // namespace

Writer::Writer(const Databases& databases, bitmap_index::KeptTotals& totals, Bell& bell)
    : databases_(databases),
      totals_(totals),
      bell_(bell),
      thread_([this] { loop(); }),
      words_([this] { rewrite_words(); }) {}

Writer::~Writer() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  words_wake_.notify_one();
  words_.join();  // it may wait for a write that is queued
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
  for (Group group; wait_for_writes(group); group.clear()) {
    if (!group.empty())
      commit(group);
    else
      look_for_upkeep();
    if (is_any_due()) upkeep();
  }
}

// Waits for writes, or until it is time to look at the facets. False: the writer is to stop, and no
// write is left.
bool Writer::wait_for_writes(Group& group) {
  std::unique_lock lock(mutex_);
  if (!is_any_due()) wake_.wait_for(lock, look, [&] { return stopping_ || !queue_.empty(); });
  if (stopping_ && queue_.empty()) return false;
  auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), max_group));
  group.assign(std::move_iterator(queue_.begin()), std::move_iterator(end));
  queue_.erase(queue_.begin(), end);
  return true;
}

void Writer::commit(Group& group) {
  auto failed = write([&](Edit& edit) {
    for (auto& job : group) job->apply(edit);
  });
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

std::optional<Writer::Failed> Writer::write(const std::function<void(Edit&)>& work) {
  std::vector<Edit::Reindexed> reindexed;
  bool told = false;
  try {
    lmdb::WriteTransaction txn(*databases_.environment);
    Edit edit(databases_, txn);
    work(edit);
    reindexed = edit.finish();
    told = edit.has_told();
    upkeep_left_ = edit.upkeep_left();
    txn.commit();
    if (const auto& why = edit.words_damage(); !why.empty())
      spdlog::error("the index of words is damaged, and is built anew: {}", why);
  } catch (const lmdb::Failure& failure) {
    bool damaged = failure.code() == MDB_CORRUPTED || failure.code() == MDB_PAGE_NOTFOUND;
    return Failed{explain(failure), damaged};
  } catch (const std::exception& damaged) {
    databases_.damage.meet("a row that a write needs");
    return Failed{
        {ErrorCode::damaged, std::string("The write was given up: ") + damaged.what() + "."}, true};
  }
  tell_totals(std::move(reindexed));
  if (told) ring();
  return {};
}

// Without memory for it, readers wait for the next commit, or their deadline.
void Writer::ring() noexcept try { bell_.ring(); } catch (const std::bad_alloc&) {
}

// What is committed has not failed. Totals that were not told of a commit are counted again: their
// generation is another.
void Writer::tell_totals(std::vector<Edit::Reindexed> reindexed) noexcept try {
  for (auto& [product, before, after, ids] : reindexed) {
    if (ids)
      totals_.changed(databases_.index, product, before, after, std::move(*ids));
    else
      totals_.drop(product);
  }
} catch (const std::bad_alloc&) {
}

// Another process may have declared a facet or added words, and one that ended may have left votes
// to sweep.
void Writer::look_for_upkeep() try {
  upkeep_left_ = {};  // where the store cannot be read, writes say what is wrong
  lmdb::ReadTransaction txn(*databases_.environment);
  bool facets = databases_.schemas.get(txn.get(), databases_)->unfinished() != nullptr;
  upkeep_left_ = {txn.entries(databases_.unswept) > 0, facets,
                  true};  // damaged words are built anew
  auto words = word_index::read_contents(databases_.words, txn.get());
  note_words(databases_, words);
  upkeep_left_.back() = is_work_left(words);
} catch (const std::exception&) {
}

bool Writer::is_due(std::size_t upkeep) const {
  return upkeep_left_[upkeep] && Time::now() >= upkeep_later_[upkeep];
}

bool Writer::is_any_due() const {
  for (std::size_t i = 0; i < upkeep_left_.size(); ++i)
    if (is_due(i)) return true;
  return false;
}

struct Writer::WordsJob : Job {
  explicit WordsJob(std::function<bool(Edit&)> change) : change(std::move(change)) {}

  void apply(Edit& edit) override { put = change(edit); }
  void finish(const Error* failed) override {
    done.set_value(failed ? Result<bool>(*failed) : Result<bool>(put));
  }

  std::function<bool(Edit&)> change;
  bool put = false;
  std::promise<Result<bool>> done;
};

// Waits until the writer has made the change. What that refers to must live until then.
Result<bool> Writer::change_words(std::function<bool(Edit&)> change) {
  auto job = std::make_unique<WordsJob>(std::move(change));
  auto done = job->done.get_future();
  std::unique_ptr<Job> queued = std::move(job);
  if (!push(queued)) return too_many();
  return done.get();
}

Awaitable<Status> Writer::sweep_words() {
  auto queue = [this](auto handler) {
    auto job = std::make_unique<JobOf<bool, decltype(handler)>>(nullptr, std::move(handler));
    job->result.emplace(true);
    std::unique_ptr<Job> queued = std::move(job);
    {
      std::lock_guard lock(mutex_);
      if (!stopping_ && sweeps_.size() < max_queued) sweeps_.push_back(std::move(queued));
    }
    words_wake_.notify_one();
    if (!queued) return;
    auto busy = too_many();
    queued->finish(&busy);
  };
  using boost::asio::use_awaitable;
  CO_TRY_DONE(co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>,
                                                   void(Result<bool>)>(queue, use_awaitable));
  co_return Done{};
}

void Writer::sweep_for(Group& sweeps) {
  if (sweeps.empty()) return;
  auto swept =
      sweep_dead_words(databases_, [this](auto change) { return change_words(std::move(change)); });
  for (auto& job : sweeps) job->finish(swept ? nullptr : &swept.error());
}

void Writer::rewrite_words() {
  std::unique_lock lock(mutex_);
  while (!stopping_ || !sweeps_.empty()) {
    auto sweeps = std::exchange(sweeps_, {});
    lock.unlock();
    sweep_for(sweeps);
    bool more = rewrite_some();
    lock.lock();
    if (!more) words_wake_.wait_for(lock, look, [&] { return stopping_ || !sweeps_.empty(); });
  }
}

// Whether more may be due at once. What fails is tried again.
bool Writer::rewrite_some() try {
  bool more =
      merge_words(databases_, [this](auto change) { return change_words(std::move(change)); });
  damage_told_ = false;
  return more;
} catch (const lmdb::Damaged&) {
  if (!std::exchange(damage_told_, true))
    spdlog::error(
        "the index of words is damaged, so its segments are not merged: run quire verify");
  return false;
} catch (const std::exception&) {
  return false;
}

// Each in a transaction of its own, so that damage which stops one of them stops no other.
void Writer::upkeep() {
  using Enough = std::function<bool()>;
  constexpr void (*works[])(Edit&, const Enough&) = {
      [](Edit& edit, const Enough& enough) { edit.sweep(enough); },
      [](Edit& edit, const Enough& enough) { edit.work_on_facets(enough); },
      [](Edit& edit, const Enough& enough) { edit.work_on_words(enough); }};
  for (std::size_t i = 0; i < upkeep_left_.size(); ++i) {
    if (!is_due(i)) continue;
    auto begun = Time::now();
    auto enough = [&] {
      auto took = Time::now() - begun;
      return took > long_slice || (took > slice && writes_wait());
    };
    auto failed = write([&](Edit& edit) { works[i](edit, enough); });
    {
      std::lock_guard lock(mutex_);
      hindrances_[i] = failed ? std::optional(failed->error) : std::nullopt;
    }
    if (!failed) continue;
    spdlog::warn("building a facet or words, or sweeping votes, rests for {} s: {}", rest.count(),
                 failed->error.message);
    upkeep_later_[i] = Time::now() + rest;
  }
}

std::optional<Error> Writer::hindrance() const {
  std::lock_guard lock(mutex_);
  for (const auto& each : hindrances_)
    if (each) return each;
  return {};
}

bool Writer::writes_wait() {
  std::lock_guard lock(mutex_);
  return stopping_ || !queue_.empty();
}

Status change_beside(const std::string& directory, const std::function<Status(Edit&)>& change) try {
  TRY(auto databases, open_beside(directory));
  lmdb::WriteTransaction txn(*databases->environment);
  Edit edit(*databases, txn);
  TRY_DONE(change(edit));
  edit.finish();
  txn.commit();
  return Done{};
} catch (const lmdb::Failure& failure) {
  return explain(failure);
} catch (const std::runtime_error& damaged) {
  return damaged_store(directory, damaged.what());
}

}  // namespace quire::embedded
