#include "lmdb/environment.h"

#include <cerrno>
#include <utility>

#include "lmdb/order.h"

namespace quire::lmdb {

Failure::Failure(std::string_view what, int code)
    : std::runtime_error(std::string(what) + ": " + mdb_strerror(code)), code_(code) {}

void check(std::string_view what, int code) {
  if (code != MDB_SUCCESS) throw Failure(what, code);
}

MDB_dbi open_database(MDB_txn* txn, const char* name, unsigned flags) {
  MDB_dbi dbi = 0;
  check("opening a database", mdb_dbi_open(txn, name, flags, &dbi));
  check("opening a database", mdb_set_compare(txn, dbi, order_of_keys));
  Environment::remember(mdb_txn_env(txn), name, dbi);
  return dbi;
}

namespace {

std::optional<std::string_view> find_in(MDB_txn* txn, MDB_dbi dbi, std::string_view key) {
  MDB_val k = val(key), v;
  int code = mdb_get(txn, dbi, &k, &v);
  if (code == MDB_NOTFOUND) return {};
  check("reading", code);
  return view(v);
}

}  // namespace

ReadTransaction::ReadTransaction(Environment& environment)
    : environment_(environment), txn_(environment.begin_reading()) {}

ReadTransaction::~ReadTransaction() {
  environment_.end_reading(txn_);
}

std::optional<std::string_view> ReadTransaction::find(MDB_dbi dbi, std::string_view key) const {
  return find_in(txn_, dbi, key);
}

WriteTransaction::WriteTransaction(Environment& environment)
    : environment_(environment), txn_(environment.begin_writing()) {}

WriteTransaction::~WriteTransaction() {
  environment_.end_writing(txn_);
}

std::optional<std::string_view> WriteTransaction::find(MDB_dbi dbi, std::string_view key) const {
  return find_in(txn_, dbi, key);
}

void WriteTransaction::put(MDB_dbi dbi, std::string_view key, std::string_view value) {
  MDB_val k = val(key), v = val(value);
  check("writing", mdb_put(txn_, dbi, &k, &v, 0));
}

bool WriteTransaction::remove(MDB_dbi dbi, std::string_view key) {
  MDB_val k = val(key);
  int code = mdb_del(txn_, dbi, &k, nullptr);
  if (code == MDB_NOTFOUND) return false;
  check("removing", code);
  return true;
}

void WriteTransaction::clear(MDB_dbi dbi) {
  check("clearing a database", mdb_drop(txn_, dbi, 0));
}

MDB_dbi WriteTransaction::open(const char* name) {
  return open_database(txn_, name, MDB_CREATE);
}

void WriteTransaction::commit() {
  // LMDB frees the transaction even when the commit fails.
  check("committing", mdb_txn_commit(std::exchange(txn_, nullptr)));
}

Cursor::Cursor(MDB_txn* txn, MDB_dbi dbi) {
  check("opening a cursor", mdb_cursor_open(txn, dbi, &cursor_));
}

Cursor::~Cursor() {
  mdb_cursor_close(cursor_);
}

bool Cursor::seek(std::string_view key, MDB_cursor_op op) {
  key_ = val(key);
  return move(op);
}

bool Cursor::move(MDB_cursor_op op) {
  int code = mdb_cursor_get(cursor_, &key_, &value_, op);
  if (code == MDB_NOTFOUND) return false;
  check("reading", code);
  return true;
}

void Cursor::put(std::string_view key, std::string_view value, unsigned flags) {
  MDB_val k = val(key), v = val(value);
  check("writing", mdb_cursor_put(cursor_, &k, &v, flags));
}

void Environment::open() {
  int code = ENOMEM;
  for (std::size_t map = options_.map_bytes; code == ENOMEM && map >= (std::size_t{1} << 26);
       map /= 2) {
    close();
    check("creating an environment", mdb_env_create(&env_));
    mdb_env_set_mapsize(env_, map);
    mdb_env_set_maxdbs(env_, options_.databases);
    mdb_env_set_maxreaders(env_, 1024);
    unsigned flags = MDB_NOTLS | MDB_NORDAHEAD | (options_.read_only ? MDB_RDONLY : 0);
    code = mdb_env_open(env_, options_.directory.c_str(), flags, 0644);
  }
  if (code != MDB_SUCCESS) {
    close();
    throw Failure("opening " + options_.directory, code);
  }
  int dead = 0;
  mdb_reader_check(env_,
                   &dead);  // slots of killed processes would keep old pages from being used again
}

void Environment::close() {
  for (MDB_txn* txn : idle_) mdb_txn_abort(txn);
  idle_.clear();
  mdb_env_close(std::exchange(env_, nullptr));
}

}  // namespace quire::lmdb
