#include "built.h"

#include "bitmap_index/edit.h"
#include "comments.h"
#include "times.h"

namespace quire::bench {
namespace {

constexpr std::uint64_t batch = 500'000;
constexpr bitmap_index::Product product = 1;

}  // namespace

BuiltIndex::BuiltIndex(const std::string& directory, std::uint64_t count)
    : environment_({.directory = directory}), comments_(count) {
  {
    lmdb::WriteTransaction txn(environment_);
    databases_ = bitmap_index::open_databases(txn.get(), MDB_CREATE, 7);
    txn.commit();
  }
  if (lmdb::ReadTransaction txn(environment_); reader(txn).length() == count) return;
  MeasuredComments comments(count);
  for (std::uint64_t made = 0; made < count;) {
    std::vector<bitmap_index::Change> changes;
    for (; changes.size() < batch && made < count; ++made)
      changes.push_back({comments.next_id(), comments.next_values()});
    auto begun = Clock::now();
    lmdb::WriteTransaction txn(environment_);
    bitmap_index::IndexEdit(databases_, txn).apply(product, changes);
    txn.commit();
    seconds_ += seconds_since(begun);
  }
}

bitmap_index::Reader BuiltIndex::reader(const lmdb::ReadTransaction& txn) const {
  return {txn.get(), databases_, product};
}

double BuiltIndex::bytes_a_comment() const {
  MDB_envinfo info{};
  MDB_stat stat{};
  lmdb::check("reading", mdb_env_info(environment_.get(), &info));
  lmdb::check("reading", mdb_env_stat(environment_.get(), &stat));
  return static_cast<double>(info.me_last_pgno + 1) * stat.ms_psize /
         static_cast<double>(comments_);
}

}  // namespace quire::bench
