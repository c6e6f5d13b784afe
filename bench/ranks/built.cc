#include "built.h"

#include <algorithm>
#include <random>

#include "ids.h"
#include "times.h"

namespace quire::bench {
namespace {

constexpr std::uint64_t batch_ids = 1'000'000;
constexpr FacetNumber facet = 0;

}  // namespace

Built::Built(const std::string& directory, std::uint64_t members, std::uint32_t values)
    : environment_(std::make_unique<lmdb::Environment>(lmdb::Options{.directory = directory})) {
  lmdb::WriteTransaction making(*environment_);
  databases_ = bitmap_index::open_databases(making.get(), MDB_CREATE, 1);
  making.commit();
  bitmap_index::Term term{.facet = facet};
  for (std::uint32_t value = 0; value < values; ++value) term.any_of.push_back(value);
  all_values_.terms.push_back(std::move(term));
  Ids ids(members);
  std::mt19937_64 lot(2);
  for (std::uint64_t made = 0; made < members;) {
    std::vector<bitmap_index::Change> batch;
    for (std::uint64_t i = 0; i < batch_ids && made < members; ++i, ++made)
      batch.push_back({ids.next(), std::vector<bitmap_index::Value>{{facet, lot() % values}}});
    auto begun = Clock::now();
    lmdb::WriteTransaction txn(*environment_);
    bitmap_index::IndexEdit(databases_, txn).apply(only_product, batch);
    txn.commit();
    seconds_ += seconds_since(begun);
  }
}

std::uint64_t Built::file_bytes() const {
  MDB_envinfo info{};
  MDB_stat stat{};
  lmdb::check("reading", mdb_env_info(environment_->get(), &info));
  lmdb::check("reading", mdb_env_stat(environment_->get(), &stat));
  return (info.me_last_pgno + 1) * stat.ms_psize;
}

void Built::walk() const {
  lmdb::ReadTransaction txn(*environment_);
  for (MDB_dbi dbi : {databases_.ids, databases_.blocks.dbi, databases_.counts.dbi}) {
    lmdb::Cursor cursor(txn.get(), dbi);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    }
  }
}

}  // namespace quire::bench
