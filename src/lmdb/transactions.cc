// Beginning and ending transactions, and opening the environment anew when LMDB asks for that.
#include <algorithm>

#include "lmdb/environment.h"
#include "lmdb/order.h"

namespace quire::lmdb {

MDB_txn* Environment::begin_reading() {
  if (MDB_txn* txn = renew()) return txn;
  return begin("beginning to read", MDB_RDONLY);
}

void Environment::end_reading(MDB_txn* txn) {
  mdb_txn_reset(txn);
  std::lock_guard lock(mutex_);
  idle_.push_back(txn);
  --inside_;
}

MDB_txn* Environment::begin_writing() {
  return begin("beginning to write", 0);
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
  if (failed_) throw Failure("waiting for the store to be opened anew", MDB_PANIC);
  ++inside_;
}

void Environment::leave(bool failed) {
  std::lock_guard lock(mutex_);
  --inside_;
  failed_ = failed_ || failed;
}

void Environment::reopen() {
  close();
  open();
  MDB_txn* txn = nullptr;
  check("opening anew", mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn));
  auto end = std::unique_ptr<MDB_txn, decltype(&mdb_txn_commit)>(txn, mdb_txn_commit);
  // In the order of the first time, so that each has the number that it had.
  for (const auto& [name, dbi] : databases_) {
    MDB_dbi again = 0;
    check("opening a database anew", mdb_dbi_open(txn, name.c_str(), 0, &again));
    check("opening a database anew", mdb_set_compare(txn, again, order_of_keys));
    if (again != dbi) throw Failure("opening a database anew", MDB_BAD_DBI);
  }
  failed_ = false;
}

void Environment::remember(const char* name, MDB_dbi dbi) {
  std::lock_guard lock(mutex_);
  auto known = [&](const auto& database) { return database.second == dbi; };
  if (std::none_of(databases_.begin(), databases_.end(), known)) databases_.emplace_back(name, dbi);
}

}  // namespace quire::lmdb
