#include "store/embedded/upkeep/compact.h"

#include "store/embedded/copy.h"

namespace quire::embedded {

Status compact(Databases& databases, const lmdb::Progress& progress) try {
  auto error = rewrite(databases, [&](MDB_txn* from, lmdb::NewFile& to) {
    copy_all(databases, from, to, progress);
  });
  if (error) return std::move(*error);
  return Done{};
} catch (const lmdb::Failure& failure) {
  return explain(failure);
}

}  // namespace quire::embedded
