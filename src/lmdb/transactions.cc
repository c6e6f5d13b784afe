// Begins and ends transactions, and reopens the environment when LMDB demands it.
#include <cerrno>
#include <set>
#include <system_error>

#include "lmdb/data_file.h"
#include "lmdb/environment.h"
#include "lmdb/numbers.h"
#include "lmdb/process_number.h"

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

// LMDB overwrites a meta page two transactions later: then the next transaction is begun.
std::unique_ptr<ReaderSlot> Environment::begin_reading() {
  constexpr int max_tries = 1000;
  for (int i = 0; i < max_tries; ++i) {
    auto reader = renew();
    if (!reader)
      reader.reset(new ReaderSlot{begin("beginning to read", MDB_RDONLY), State(map_, names_)});
    bool taken = false;
    try {
      auto number = mdb_txn_id(reader->txn);
      taken = find_map(reader->txn, number) && reader->state.take(number);
    } catch (...) {
      end_reading(std::move(reader));
      throw;
    }
    if (taken) return reader;
    end_reading(std::move(reader));
  }
  throw Failure("beginning to read", EBUSY);
}

void Environment::end_reading(std::unique_ptr<ReaderSlot> reader) {
  if (reader->txn) mdb_txn_reset(reader->txn);
  std::lock_guard lock(mutex_);
  --inside_;
  if (!reader->txn) return;
  if (idle_.size() < max_idle)
    idle_.push_back(std::move(reader));
  else
    mdb_txn_abort(reader->txn);
}

// LMDB does not tell where it maps the file. But the first key of the list of databases lies there,
// on a page whose number is known. A file without databases has nothing to read. False: later
// transactions have overwritten the meta page of the state.
bool Environment::find_map(MDB_txn* txn, std::uint64_t state) {
  if (map_) return true;
  int descriptor = -1;
  check("reading", mdb_env_get_fd(env_, &descriptor));
  DataFile file(descriptor);
  auto meta = state_of(file, state);
  if (!meta || meta->main.root == no_page) return meta.has_value();
  auto page = first_leaf(file, *meta);
  MDB_cursor* cursor = nullptr;
  MDB_val key{};
  check("reading", mdb_cursor_open(txn, list_of_databases, &cursor));
  int code = mdb_cursor_get(cursor, &key, nullptr, MDB_FIRST);
  mdb_cursor_close(cursor);
  check("reading", code);
  auto at = reinterpret_cast<std::uintptr_t>(key.mv_data) / meta->page_size - page;
  std::lock_guard lock(mutex_);
  if (!map_)
    map_.set(reinterpret_cast<const char*>(at * meta->page_size), meta->page_size, descriptor);
  return true;
}

std::optional<std::uint64_t> Environment::newest_commit() {
  std::lock_guard lock(mutex_);
  MDB_envinfo info{};
  if (failed_ || mdb_env_info(env_, &info) != MDB_SUCCESS) return {};
  return info.me_last_txnid;
}

MDB_txn* Environment::begin_writing() {
  MDB_txn* txn = begin("beginning to write", 0);
  try {
    if (writes_++ % writes_between_checks == 0) free_slots_of_the_dead();
    auto before = mdb_txn_id(txn) - 1;
    find_map(txn, before);
    guard_.begin(before);
  } catch (...) {
    end_writing(txn);
    throw;
  }
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

std::unique_ptr<ReaderSlot> Environment::renew() {
  std::lock_guard lock(mutex_);
  if (idle_.empty() || failed_) return nullptr;
  auto reader = std::move(idle_.back());
  idle_.pop_back();
  if (mdb_txn_renew(reader->txn) != MDB_SUCCESS) {
    mdb_txn_abort(reader->txn);
    return nullptr;
  }
  ++inside_;
  return reader;
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
  for (MDB_dbi dbi = 0; dbi < names_.size(); ++dbi) {
    if (names_[dbi].empty()) continue;
    MDB_dbi again = 0;
    check("reopening a database", mdb_dbi_open(txn, names_[dbi].c_str(), 0, &again));
    set_orders(txn, again);
    if (again != dbi) throw Failure("reopening a database", MDB_BAD_DBI);
  }
}

// LMDB's own two databases have the first handles.
Environment::Environment(const Options& options)
    : options_(options),
      lock_file_(options_.directory),
      process_(new_process_number()),
      names_(options.databases + 2),
      map_(options.directory + "/data.mdb", options.met_damage) {
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
    auto& known = environment->names_.at(dbi);
    if (known != name) known = name;
  }
}

}  // namespace quire::lmdb
