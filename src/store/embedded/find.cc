#include "store/embedded/find.h"

#include <algorithm>

#include "model/document.h"

namespace quire::embedded {

std::optional<ProductNumber> find_product(const lmdb::Transaction& txn, const Databases& databases,
                                          const Ulid& id) {
  auto product = lmdb::find(txn, databases.ids, id.view());
  if (!product) return {};
  if (product->size() != 4) throw lmdb::Damaged("a row of ids is damaged: run quire verify");
  return get_u32(product->data());
}

std::optional<std::string_view> find_document(const lmdb::Transaction& txn,
                                              const Databases& databases, ProductNumber product,
                                              const Ulid& id) {
  auto key = comment_key(product, id);
  try {
    auto bytes = lmdb::find(txn, databases.comments.dbi, key);
    return bytes ? lmdb::unsealed(databases.comments.seed, key, *bytes) : std::nullopt;
  } catch (const lmdb::Damaged&) {
    return {};
  }
}

std::uint64_t counted_comments(const Databases& databases, const lmdb::Transaction& txn) {
  return std::min(txn.entries(databases.comments), txn.entries(databases.ids));
}

std::optional<Comment> read_comment(const lmdb::Sealed& comments, const lmdb::Cursor& cursor) {
  if (cursor.key().size() != Key<20>::size) return {};
  auto document = lmdb::unsealed(comments.seed, cursor.key(), cursor.value());
  auto comment = document ? decode_document(*document) : std::nullopt;
  if (comment && comment->id != id_at_end(cursor.key())) return {};
  return comment;
}

Error damaged_comment(const Ulid& id) {
  return {ErrorCode::unavailable,
          "Comment " + id.text() + " in the store is damaged: run quire verify."};
}

}  // namespace quire::embedded
