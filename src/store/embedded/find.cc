#include "store/embedded/find.h"

namespace quire::embedded {

std::optional<ProductNumber> find_product(MDB_txn* txn, const Databases& databases,
                                          const Ulid& id) {
  auto product = lmdb::find(txn, databases.ids, id.view());
  if (!product) return {};
  if (product->size() != 4) throw lmdb::Damaged("a row of ids is damaged: run quire verify");
  return get_u32(product->data());
}

std::optional<std::string_view> find_document(MDB_txn* txn, const Databases& databases,
                                              ProductNumber product, const Ulid& id) {
  auto key = comment_key(product, id);
  auto bytes = lmdb::find(txn, databases.comments.dbi, key);
  if (!bytes) return {};
  return lmdb::unsealed(databases.comments.seed, key, *bytes);
}

Error damaged_comment(const Ulid& id) {
  return {ErrorCode::unavailable,
          "Comment " + id.text() + " in the store is damaged: run quire verify."};
}

}  // namespace quire::embedded
