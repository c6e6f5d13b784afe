#include "page_index/lmdb/databases.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/try.h"
#include "lmdb/data_file.h"
#include "page_index/lmdb/format.h"

namespace quire::page_index {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kept_bytes = std::size_t{32} << 20;  // of totals, in a process

constexpr const char* items_name = "index_items";
constexpr const char* products_name = "index_products";

Error unavailable(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

Error none_in(const std::string& directory) {
  return unavailable(
      fmt::format("There is no page index in {}. Build one with quire backfill.", directory));
}

Error damaged_file(const std::string& directory) {
  return unavailable(fmt::format(
      "The page index in {0} is damaged. Delete {0}/data.mdb, and build it anew with quire "
      "backfill.",
      directory));
}

Error foreign(const std::string& directory) {
  return unavailable(directory + " holds no page index of Quire. Name another directory.");
}

Status make(const std::string& directory) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) return unavailable(fmt::format("Cannot make {}: {}.", directory, failed.message()));
  return Done{};
}

// Whether there is surely no index. LMDB refuses a file that this process may not see.
bool none_there(const std::string& directory) {
  std::error_code failed;
  return !fs::exists(directory + "/data.mdb", failed) && !failed;
}

bool there(const std::string& directory) {
  std::error_code failed;
  return fs::exists(directory + "/data.mdb", failed);
}

// Asks the transaction, because the statistics of the environment may be ahead of what it can read.
bool empty(const lmdb::Transaction& txn) {
  return txn.entries(lmdb::list_of_databases) == 0;
}

// Makes an index that holds language and rating, and no products. Two processes may do so at once:
// the writer lock decides.
void create(IndexDatabases& databases) {
  lmdb::WriteTransaction txn(*databases.environment);
  if (!empty(txn)) return;
  MDB_dbi meta = txn.open("meta");
  txn.open("marks");
  lmdb::open_sealed(txn.get(), items_name, MDB_CREATE);
  lmdb::open_sealed(txn.get(), products_name, MDB_CREATE);
  auto index = bitmap_index::open_databases(txn.get(), MDB_CREATE, bitmap_index::new_hash_key());
  word_index::open_databases(txn.get(), MDB_CREATE);
  txn.put(meta, "hash_key", encode_hash_key(index));
  txn.put(meta, "next_product", encode_number(0));
  txn.put(meta, "facets", encode_schema({}));
  txn.put(meta, "format", format_row());
  txn.put(meta, "phase", encode_phase(change::Phase::empty));
  txn.put(meta, "life", {});
  txn.put(meta, "stream", {});
  txn.commit();
}

// The row that tells the format. Absent: the environment holds something else.
std::optional<std::string> format_in(IndexDatabases& databases) {
  lmdb::ReadTransaction txn(*databases.environment);
  auto row = txn.find_in("meta", "format");
  if (!row || row->size() != format_row().size() || !row->starts_with(format_magic)) return {};
  return std::string(*row);
}

void open_environment(IndexDatabases& databases, Access access) {
  databases.environment.reset();
  lmdb::Options options{.directory = databases.directory, .read_only = access == Access::read};
  options.at_fault = "quire: " + damaged_file(databases.directory).message;
  databases.environment = std::make_unique<lmdb::Environment>(options);
}

// The error of another format.
Status check_format(IndexDatabases& databases) {
  const auto& directory = databases.directory;
  auto row = format_in(databases);
  if (!row) return foreign(directory);
  if (*row == format_row()) return Done{};
  auto format = decode_number(std::string_view(*row).substr(format_magic.size()));
  return unavailable(fmt::format(
      "The page index in {} has format {}, this program reads and writes format {}. Build one in "
      "another directory with quire backfill.",
      directory, format, format_version));
}

void open_all(IndexDatabases& databases) {
  lmdb::ReadTransaction txn(*databases.environment);
  databases.meta = lmdb::open_database(txn, "meta", 0);
  databases.marks = lmdb::open_database(txn, "marks", 0);
  databases.products = lmdb::open_sealed(txn, products_name, 0);
  databases.index = bitmap_index::open_databases(txn, 0, 0);
  if (!decode_hash_key(meta_row(txn, databases.meta, "hash_key"), databases.index))
    throw lmdb::Damaged("the row hash_key is damaged");
  databases.items = lmdb::open_sealed(txn, items_name, 0);
  databases.words = word_index::open_databases(txn, 0);
  txn.keep_handles();
  databases.kept = std::make_unique<bitmap_index::KeptTotals>(kept_bytes);
  databases.word_sums = std::make_unique<WordSums>();
}

}  // namespace

Result<std::unique_ptr<IndexDatabases>> open_index_databases(const std::string& directory,
                                                             Access access) try {
  bool to_write = access == Access::write;
  if (!to_write && none_there(directory)) return std::unique_ptr<IndexDatabases>();
  if (to_write) TRY_DONE(make(directory));
  auto databases = std::make_unique<IndexDatabases>();
  databases->directory = directory;
  open_environment(*databases, access);
  if (empty(lmdb::ReadTransaction(*databases->environment))) {
    if (!to_write) return std::unique_ptr<IndexDatabases>();  // a writer is just making the index
    create(*databases);
  }
  TRY_DONE(check_format(*databases));
  open_all(*databases);
  return databases;
} catch (const lmdb::Failure& failure) {
  // A writer is just making the file: it has no first page yet.
  if (failure.code() == ENOENT && access == Access::read) return std::unique_ptr<IndexDatabases>();
  if (failure.code() == MDB_INVALID || failure.code() == MDB_VERSION_MISMATCH)
    return foreign(directory);
  return explain(directory, failure);
} catch (const std::runtime_error& reason) {
  if (there(directory) && !lmdb::is_lmdb(lmdb::DataFile(directory + "/data.mdb")))
    return foreign(directory);
  if (dynamic_cast<const lmdb::Damaged*>(&reason)) return damaged_file(directory);
  return explain(directory, reason);
}

Result<const IndexDatabases*> Directory::databases_if_made() {
  std::lock_guard lock(opening_);
  if (!databases_) {
    TRY(databases_, open_index_databases(path_, access_));
  }
  return databases_.get();
}

Result<const IndexDatabases*> Directory::databases() {
  auto made = databases_if_made();
  if (made && !*made) return none_in(path_);
  return made;
}

Error explain(const std::string& directory, const std::exception& thrown) {
  auto* failure = dynamic_cast<const lmdb::Failure*>(&thrown);
  switch (failure ? failure->code() : MDB_CORRUPTED) {
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_NOTFOUND:
      return unavailable(fmt::format(
          "The page index in {} is damaged. Build it anew with quire backfill.", directory));
    // LMDB reports a write that a full disk cut short as EIO.
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
      return unavailable(
          fmt::format("The disk of the page index in {} is full, or fails ({}). Nothing was "
                      "changed; make room and try again.",
                      directory, std::strerror(failure->code())));
    default:
      return unavailable(
          fmt::format("The page index in {} failed: {}.", directory, failure->what()));
  }
}

}  // namespace quire::page_index
