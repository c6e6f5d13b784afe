#include "store/store.h"
#include "base/try.h"

#include "model/document.h"

namespace quire {

Awaitable<Result<Ulid>> View::named(std::string_view name) {
  if (auto id = Ulid::parse(name)) co_return *id;
  co_return Error{
      ErrorCode::not_found,
      "There is no such comment: an id is 26 characters, as in 01JD5ZK3V8Q6W3N0A9B7C5D2EF."};
}

Awaitable<Result<Comment>> View::find(const Ulid& id) {
  CO_TRY(auto document, co_await get(id));
  auto comment = decode_document(document);
  if (comment) co_return std::move(*comment);
  co_return damaged_comment(id);
}

Awaitable<Result<std::size_t>> Store::insert_many(std::vector<Comment> comments) {
  std::vector<ImportRow> rows;
  rows.reserve(comments.size());
  for (auto& comment : comments) rows.push_back({std::move(comment)});
  ImportTerms none;
  CO_TRY(auto imported, co_await import_rows(std::move(rows), std::move(none)));
  co_return imported.added;
}

}  // namespace quire
