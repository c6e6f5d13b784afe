// Reads the ids of a product, a page of the file at a time.
#pragma once

#include <span>

#include "bitmap_index/keys.h"
#include "lmdb/environment.h"

namespace quire::bitmap_index {

// The spans live until the next write of the transaction.
class IdPages {
 public:
  // `cursor` is one of Databases::ids, and is at the disposal of IdPages.
  IdPages(lmdb::Cursor& cursor, Product product) : cursor_(cursor), key_(ids_key(product)) {}

  // The ids from `id` on that lie in one page. Empty: there are none.
  std::span<const Ulid> from(const Ulid& id) {
    if (!cursor_.seek(key_, id.view(), MDB_GET_BOTH_RANGE)) return {};
    const char* first = cursor_.value().data();
    cursor_.move(MDB_GET_MULTIPLE);  // the page from its beginning
    auto page = cursor_.value();
    return ids({first, static_cast<std::size_t>(page.data() + page.size() - first)});
  }
  // Those of the page behind.
  std::span<const Ulid> next() {
    return cursor_.move(MDB_NEXT_MULTIPLE) ? ids(cursor_.value()) : std::span<const Ulid>();
  }

 private:
  static std::span<const Ulid> ids(std::string_view bytes) {
    static_assert(sizeof(Ulid) == Ulid::size && alignof(Ulid) == 1);
    return {reinterpret_cast<const Ulid*>(bytes.data()), bytes.size() / Ulid::size};
  }

  lmdb::Cursor& cursor_;
  Key<4> key_;
};

}  // namespace quire::bitmap_index
