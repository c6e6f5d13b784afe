#include "lmdb/environment.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <thread>
#include <utility>

#include "lmdb/data_file.h"
#include "lmdb/numbers.h"
#include "lmdb/process_number.h"

namespace quire::lmdb {

Failure::Failure(std::string_view what, int code)
    : Unavailable(std::string(what) + ": " + mdb_strerror(code)), code_(code) {}

void check(std::string_view what, int code) {
  if (code != MDB_SUCCESS) throw Failure(what, code);
}

void set_orders(MDB_txn* txn, MDB_dbi dbi) {
  unsigned flags = 0;
  check("opening a database", mdb_set_compare(txn, dbi, order_of_keys));
  check("opening a database", mdb_dbi_flags(txn, dbi, &flags));
  if (flags & MDB_DUPSORT) check("opening a database", mdb_set_dupsort(txn, dbi, order_of_keys));
}

MDB_dbi open_database(MDB_txn* txn, const char* name, unsigned flags) {
  MDB_dbi dbi = 0;
  check("opening a database", mdb_dbi_open(txn, name, flags, &dbi));
  set_orders(txn, dbi);
  Environment::remember(mdb_txn_env(txn), name, dbi);
  return dbi;
}

Sealed open_sealed(MDB_txn* txn, const char* name, unsigned flags) {
  return {open_database(txn, name, flags), seal_seed(name), name};
}

std::optional<std::string_view> Transaction::find(MDB_dbi dbi, std::string_view key) const {
  if (state_) return state_->find(state_->tree(dbi), key);
  if (guard_) guard_->at(dbi, key);
  MDB_val k = val(key), v;
  int code = mdb_get(txn_, dbi, &k, &v);
  if (code == MDB_NOTFOUND) return {};
  check("reading", code);
  return view(v);
}

std::optional<std::string_view> Transaction::find(const Sealed& database,
                                                  std::string_view key) const {
  auto bytes = find(database.dbi, key);
  if (!bytes) return {};
  auto value = unsealed(database.seed, key, *bytes);
  if (!value)
    throw Damaged("a row of " + std::string(database.name) + " is damaged: run quire verify");
  return value;
}

std::uint64_t Transaction::entries(MDB_dbi dbi) const {
  if (state_) return state_->tree(dbi).entries;
  MDB_stat stat{};
  check("reading", mdb_stat(txn_, dbi, &stat));
  return stat.ms_entries;
}

ReadTransaction::ReadTransaction(Environment& environment)
    : environment_(environment), reader_(environment.begin_reading()) {
  txn_ = reader_->txn;
  state_ = &reader_->state;
}

ReadTransaction::~ReadTransaction() {
  environment_.end_reading(std::move(reader_));
}

std::optional<std::string_view> ReadTransaction::find_in(std::string_view database,
                                                         std::string_view key) const {
  auto tree = state_->find(database);
  return tree ? state_->find(*tree, key) : std::nullopt;
}

void ReadTransaction::keep_handles() {
  mdb_txn_commit(std::exchange(reader_->txn, nullptr));
}

WriteTransaction::WriteTransaction(Environment& environment) : environment_(&environment) {
  txn_ = environment.begin_writing();
  guard_ = &environment.guard_;
}

WriteTransaction::~WriteTransaction() {
  if (environment_) environment_->end_writing(txn_);
}

void WriteTransaction::put(MDB_dbi dbi, std::string_view key, std::string_view value) {
  if (guard_) guard_->at(dbi, key, value);
  MDB_val k = val(key), v = val(value);
  check("writing", mdb_put(txn_, dbi, &k, &v, 0));
}

void WriteTransaction::put(const Sealed& database, std::string_view key, std::string_view value) {
  if (guard_) guard_->at(database.dbi, key);
  MDB_val k = val(key), v{value.size() + seal_size, nullptr};
  check("writing", mdb_put(txn_, database.dbi, &k, &v, MDB_RESERVE));
  write_sealed(static_cast<char*>(v.mv_data), database.seed, key, value);
}

bool WriteTransaction::remove(MDB_dbi dbi, std::string_view key) {
  if (guard_) guard_->all(dbi, key);
  MDB_val k = val(key);
  int code = mdb_del(txn_, dbi, &k, nullptr);
  if (code == MDB_NOTFOUND) return false;
  check("removing", code);
  return true;
}

void WriteTransaction::clear(MDB_dbi dbi) {
  if (guard_) guard_->all(dbi);
  check("clearing a database", mdb_drop(txn_, dbi, 0));
}

MDB_dbi WriteTransaction::open(const char* name, unsigned flags) {
  return open_database(txn_, name, flags | MDB_CREATE);
}

void WriteTransaction::commit() {
  // LMDB frees the transaction even when the commit fails.
  check("committing", mdb_txn_commit(std::exchange(txn_, nullptr)));
}

namespace {

bool grants(std::size_t bytes) {
  void* range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return range != MAP_FAILED && munmap(range, bytes) == 0;
}

// Halves the map until the system grants the address space. LMDB maps more if the file is larger.
std::size_t granted_map(std::size_t bytes) {
  constexpr std::size_t least = std::size_t{1} << 26;
  while (bytes > least && !grants(bytes + bytes / 8)) bytes /= 2;
  return bytes;
}

MDB_env* open_env(const std::string& path, unsigned databases, std::size_t map_bytes,
                  unsigned flags, int process) {
  ByNumber by_number(process);
  MDB_env* env = nullptr;
  check("creating an environment", mdb_env_create(&env));
  mdb_env_set_mapsize(env, granted_map(map_bytes));
  mdb_env_set_maxdbs(env, databases);
  mdb_env_set_maxreaders(env, max_readers);
  int code = mdb_env_open(env, path.c_str(), flags | MDB_NOTLS | MDB_NORDAHEAD, 0640);
  if (code == MDB_SUCCESS) return env;
  mdb_env_close(env);
  if (code == ENOMEM)
    throw Failure("opening " + path + " takes more address space than is left (ulimit -v)", code);
  throw Failure("opening " + path, code);
}

// Checks again after a failure: a state that is just being written may look damaged.
template <class Check>
void check_repeatedly(Check check) {
  constexpr int max_tries = 5;
  for (int i = 1;; ++i) {
    try {
      return check();
    } catch (const Damaged&) {
      if (i == max_tries) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// A table of readers that another program has left, and a process still holds.
Failure no_table(const std::string& directory) {
  return {
      fmt::format("opening {0}: {0}/lock.mdb names no state of data.mdb; end the processes that "
                  "have it open (fuser -v {0}/lock.mdb), then try again",
                  directory),
      EBUSY};
}

}  // namespace

MDB_env* open_new(const std::string& file) {
  return open_env(file, Options{}.databases, Options{}.map_bytes,
                  MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, new_process_number());
}

void Environment::open() {
  auto path = options_.directory + "/data.mdb";
  struct stat about {};
  bool there = stat(path.c_str(), &about) == 0 && (about.st_size > 0 || !S_ISREG(about.st_mode));
  if (there) check_repeatedly([&] { check_before_opening(DataFile(path)); });
  env_ = open_env(options_.directory, options_.databases, options_.map_bytes,
                  options_.read_only ? MDB_RDONLY : 0, process_);
  try {
    maps_.watch(env_, options_.directory, options_.at_fault);
    free_slots_of_the_dead();
    check_roots(path);
  } catch (...) {
    close();
    throw;
  }
}

void Environment::check_roots(const std::string& path) {
  DataFile file(path);
  auto end = std::chrono::steady_clock::now() + options_.max_settling;
  while (!check_newest_state(file)) {
    if (std::chrono::steady_clock::now() >= end) throw no_table(options_.directory);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// False: the file has the state not yet, or no longer.
bool Environment::check_newest_state(const DataFile& file) {
  auto before = last_transaction(file);
  std::uint64_t number = number_in_table();
  auto after = last_transaction(file);
  // A commit writes its meta page first, and then its number into the table of readers. So the
  // number is that of the newest meta page, or of the one before, also where a writer was killed.
  if (number + 1 < before || number > after) throw no_table(options_.directory);
  // A table without a number, or that of a file whose first commit is just ending.
  if (number == 0 && before > 0) return false;
  if (!state_of(file, number)) return false;  // a busy writer has reused the meta page
  ReadTransaction txn(*this);
  number = txn.number();
  auto state = state_of(file, number);
  if (!state) return false;
  auto walked = walk(file, *state, false);
  if (!walked.faults.empty()) throw Damaged(walked.faults.front());
  // Each commit frees pages under its own number. If the newest number in the list of free pages is
  // another, the meta pages name an older state.
  if (number < 2) return true;
  Cursor freed(txn.get(), 0);
  std::string_view key(reinterpret_cast<const char*>(&number), sizeof number);
  if (!freed.move(MDB_LAST) || freed.key() != key)
    throw Damaged("its first pages name a state that is not its last");
  return true;
}

// The state that the table of readers gives to a reader who begins now.
std::uint64_t Environment::number_in_table() {
  MDB_txn* txn = begin("beginning to read", MDB_RDONLY);
  auto number = mdb_txn_id(txn);
  mdb_txn_abort(txn);
  leave();
  return number;
}

void Environment::close() {
  for (auto& reader : idle_) mdb_txn_abort(reader->txn);
  idle_.clear();
  maps_.forget();
  map_.reset();
  ByNumber by_number(process_);
  mdb_env_close(std::exchange(env_, nullptr));
}

}  // namespace quire::lmdb
