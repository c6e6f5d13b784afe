#include "store/store.h"

#include "model/document.h"

namespace quire {

Awaitable<Result<Comment>> View::find(const Ulid& id) {
  auto document = co_await get(id);
  if (!document) co_return document.error();
  auto comment = decode_document(*document);
  if (comment) co_return std::move(*comment);
  co_return Error{ErrorCode::unavailable,
                  "Comment " + id.text() + " in the store is damaged: run quire verify."};
}

}  // namespace quire
