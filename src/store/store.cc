#include "store/store.h"

#include "model/document.h"

namespace quire {

Awaitable<Result<Ulid>> View::named(std::string_view name) {
  if (auto id = Ulid::parse(name)) co_return *id;
  co_return Error{
      ErrorCode::not_found,
      "There is no such comment: an id is 26 characters, as in 01JD5ZK3V8Q6W3N0A9B7C5D2EF."};
}

Awaitable<Result<Comment>> View::find(const Ulid& id) {
  auto document = co_await get(id);
  if (!document) co_return document.error();
  auto comment = decode_document(*document);
  if (comment) co_return std::move(*comment);
  co_return damaged_comment(id);
}

}  // namespace quire
