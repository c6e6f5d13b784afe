// Begins and ends transactions, and reopens the environment when LMDB demands it.
#include <algorithm>
#include <set>
#include <system_error>

#include "lmdb/environment.h"
#include "lmdb/order.h"

namespace quire::lmdb {
namespace {

constexpr std::size_t max_idle = 256;
constexpr std::uint64_t writes_between_checks = 128;

// All environments of the process: finds the Environment of LMDB's own handle.
struct Registry {
  std::mutex mutex;
  std::set<Environment*> environments;  // guarded by mutex
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

MDB_txn* Environment::begin_reading() {
  if (MDB_txn* txn = renew()) return txn;
  return begin("beginning to read", MDB_RDONLY);
}

void Environment::end_reading(MDB_txn* txn) {
  mdb_txn_reset(txn);
  std::lock_guard lock(mutex_);
  if (idle_.size() < max_idle)
    idle_.push_back(txn);
  else
    mdb_txn_abort(txn);
  --inside_;
}

std::optional<std::uint64_t> Environment::newest_commit() {
  std::lock_guard lock(mutex_);
  MDB_envinfo info{};
  if (failed_ || mdb_env_info(env_, &info) != MDB_SUCCESS) return {};
  return info.me_last_txnid;
}

MDB_txn* Environment::begin_writing() {
  MDB_txn* txn = begin("beginning to write", 0);
  if (writes_++ % writes_between_checks == 0) free_slots_of_the_dead();
  return txn;
}

// A reader's slot of a killed process keeps every page from reuse that was freed since.
void Environment::free_slots_of_the_dead() {
  int dead = 0;
  mdb_reader_check(env_, &dead);
}

void Environment::end_writing(MDB_txn* txn) {
  if (txn) mdb_txn_abort(txn);
  leave();
}

MDB_txn* Environment::renew() {
  std::lock_guard lock(mutex_);
  if (idle_.empty() || failed_) return nullptr;
  MDB_txn* txn = idle_.back();
  idle_.pop_back();
  if (mdb_txn_renew(txn) != MDB_SUCCESS) {
    mdb_txn_abort(txn);
    return nullptr;
  }
  ++inside_;
  return txn;
}

MDB_txn* Environment::begin(const char* what, unsigned flags) {
  int code = MDB_SUCCESS;
  for (int attempt = 0; attempt < 2; ++attempt) {
    enter();
    MDB_txn* txn = nullptr;
    code = mdb_txn_begin(env_, nullptr, flags, &txn);
    if (code == MDB_SUCCESS) return txn;
    leave(code == MDB_PANIC);
    if (code != MDB_PANIC) break;
  }
  throw Failure(what, code);
}

void Environment::enter() {
  std::lock_guard lock(mutex_);
  if (failed_ && inside_ == 0) reopen();
  if (failed_) throw Failure("waiting for the store to be reopened", MDB_PANIC);
  ++inside_;
}

void Environment::leave(bool failed) {
  std::lock_guard lock(mutex_);
  --inside_;
  failed_ = failed_ || failed;
}

void Environment::reopen() {
  OpeningTurn turn(lock_file_);
  close();
  failed_ = false;
  try {
    open();
    open_databases();
  } catch (const std::system_error& unreadable) {
    failed_ = true;
    throw Failure("reopening", unreadable.code().value());
  } catch (...) {
    failed_ = true;
    throw;
  }
}

// Opens the databases in their first order, so that each gets the same handle as before.
void Environment::open_databases() {
  MDB_txn* txn = nullptr;
  check("reopening", mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn));
  auto end = std::unique_ptr<MDB_txn, decltype(&mdb_txn_commit)>(txn, mdb_txn_commit);
  for (const auto& [name, dbi] : databases_) {
    MDB_dbi again = 0;
    check("reopening a database", mdb_dbi_open(txn, name.c_str(), 0, &again));
    set_orders(txn, again);
    if (again != dbi) throw Failure("reopening a database", MDB_BAD_DBI);
  }
}

Environment::Environment(const Options& options)
    : options_(options), lock_file_(options_.directory) {
  {
    OpeningTurn turn(lock_file_);
    open();
  }
  std::lock_guard lock(registry().mutex);
  registry().environments.insert(this);
}

Environment::~Environment() {
  {
    std::lock_guard lock(registry().mutex);
    registry().environments.erase(this);
  }
  close();
}

void Environment::remember(MDB_env* env, const char* name, MDB_dbi dbi) {
  std::lock_guard all(registry().mutex);
  for (Environment* environment : registry().environments) {
    std::lock_guard lock(environment->mutex_);
    if (environment->env_ != env) continue;
    auto& known = environment->databases_;
    auto same = [&](const auto& database) { return database.second == dbi; };
    if (std::none_of(known.begin(), known.end(), same)) known.emplace_back(name, dbi);
  }
}

}  // namespace quire::lmdb
