#include "built.h"

#include <algorithm>
#include <random>

#include "ids.h"
#include "must.h"
#include "store/embedded/format.h"
#include "times.h"

namespace quire::bench {
namespace {

constexpr std::uint64_t batch_ids = 1'000'000;

MDB_stat stat_of(const embedded::Databases& databases) {
  lmdb::ReadTransaction txn(*databases.environment);
  MDB_stat stat{};
  lmdb::check("reading", mdb_stat(txn.get(), databases.lists, &stat));
  return stat;
}

}  // namespace

Built::Built(const std::string& directory, std::uint64_t members, std::uint32_t lists)
    : databases_(must(embedded::open_databases(directory, Access::write))) {
  name_lists(lists);
  Ids ids(members);
  std::mt19937_64 lot(2);
  for (std::uint64_t made = 0; made < members;) {
    Batch batch(lists);
    for (std::uint64_t i = 0; i < batch_ids && made < members; ++i, ++made)
      batch[lot() % lists].push_back({ids.next(), true});
    auto begun = Clock::now();
    apply(batch);
    seconds_ += seconds_since(begun);
  }
}

void Built::name_lists(std::uint32_t lists) {
  embedded::ProductRow product{.block = 1};
  for (std::uint32_t i = 0; i < lists; ++i) {
    std::string language = {'a', static_cast<char>('a' + i)};
    Cell list = {cell(language, 1)[language_facet], any};
    lists_.push_back(list);
    product.languages.push_back({list[language_facet], i + 2, {}});
  }
  std::sort(product.languages.begin(), product.languages.end(),
            [](const auto& a, const auto& b) { return a.language < b.language; });
  for (const Cell& list : lists_) numbers_.push_back(product.list_number(list).value());
  lmdb::WriteTransaction txn(*databases_->environment);
  txn.put(databases_->products, "product-1", embedded::encode_product(product));
  txn.commit();
}

void Built::apply(const Batch& batch) {
  lmdb::WriteTransaction txn(*databases_->environment);
  for (std::size_t list = 0; list < batch.size(); ++list)
    lmdb::apply(txn, databases_->lists, numbers_[list], batch[list]);
  txn.commit();
}

std::uint64_t Built::file_bytes() const {
  MDB_envinfo info{};
  lmdb::check("reading", mdb_env_info(databases_->environment->get(), &info));
  return (info.me_last_pgno + 1) * stat_of(*databases_).ms_psize;
}

std::uint64_t Built::tree_bytes() const {
  auto stat = stat_of(*databases_);
  return (stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages) * stat.ms_psize;
}

void Built::walk() const {
  lmdb::ReadTransaction txn(*databases_->environment);
  lmdb::Cursor cursor(txn.get(), databases_->lists);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
  }
}

}  // namespace quire::bench
