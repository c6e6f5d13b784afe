// Finds one comment by its id, within any transaction.
#pragma once

#include <optional>
#include <string_view>

#include "store/embedded/databases.h"
#include "store/embedded/format.h"

namespace quire::embedded {

// The block of the comment's product. Nothing: there is no such comment. Throws lmdb::Damaged.
std::optional<Block> find_block(MDB_txn* txn, const Databases& databases, const Ulid& id);
// The document of a comment. Nothing: it is missing or damaged.
std::optional<std::string_view> find_document(MDB_txn* txn, const Databases& databases,
                                              Block product, const Ulid& id);
Error damaged_comment(const Ulid& id);

}  // namespace quire::embedded
