#include "store/embedded/upkeep/compact.h"

namespace quire::embedded {

namespace {

// Ends the rewriting of a store.
struct Incomplete {
  Missing missing;
};

}  // namespace

Result<Missing> compact(Databases& databases, const lmdb::Progress& progress) try {
  auto error = rewrite(databases, [&](const lmdb::Transaction& from, lmdb::NewFile& to) {
    if (auto missing = copy_all(databases, from, to, progress)) throw Incomplete{missing};
  });
  if (error) return std::move(*error);
  return Missing{};
} catch (const Incomplete& incomplete) {
  return incomplete.missing;
} catch (const lmdb::Damaged& damaged) {
  return Error{ErrorCode::unavailable, damaged.what() + std::string(".")};
} catch (const lmdb::Failure& failure) {
  return explain(failure);
}

}  // namespace quire::embedded
