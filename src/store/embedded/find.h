// Finds one comment by its id, within any transaction.
#pragma once

#include <optional>
#include <string_view>

#include "store/embedded/databases.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

// The product of a comment. Nothing: there is no such comment. Throws lmdb::Damaged.
std::optional<ProductNumber> find_product(MDB_txn* txn, const Databases& databases, const Ulid& id);
// The document of a comment. Nothing: it is missing or damaged.
std::optional<std::string_view> find_document(MDB_txn* txn, const Databases& databases,
                                              ProductNumber product, const Ulid& id);
Error damaged_comment(const Ulid& id);

}  // namespace quire::embedded
