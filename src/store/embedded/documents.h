// Writes the documents of many new comments, and fills the pages of the database meanwhile.
#pragma once

#include <span>

#include "lmdb/environment.h"
#include "quire/comment.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

struct Clustered {
  ProductNumber product;
  const Comment* comment;
};

// `comments` are new, and sorted by product, then id. Throws lmdb::Failure, or std::runtime_error
// where one of them is in the database already; then the caller must abort the transaction.
void put_documents(lmdb::WriteTransaction& txn, const lmdb::Sealed& database,
                   std::span<const Clustered> comments);

}  // namespace quire::embedded
