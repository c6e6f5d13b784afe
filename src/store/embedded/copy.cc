#include "store/embedded/copy.h"

#include <fmt/format.h>

#include "bitmap_index/edit.h"
#include "store/embedded/documents.h"
#include "store/embedded/words.h"

namespace quire::embedded {
namespace {

constexpr int reader_seconds = 30;

Error hindered(const std::string& directory, const lmdb::Obstacle& obstacle) {
  if (obstacle.changed) {
    return {ErrorCode::unavailable,
            fmt::format("The store in {} changed while it was copied. Try again. Nothing was lost.",
                        directory)};
  }
  auto process = obstacle.process;
  return {ErrorCode::unavailable,
          fmt::format("The store in {} is still being read by another process{}. Let it end, and "
                      "try again. Nothing was changed.",
                      directory, process > 0 ? fmt::format(" ({})", process) : "")};
}

}  // namespace

std::string Missing::text() const {
  auto of_comments = fmt::format("{} of {} comments", comments, of),
       others = fmt::format("{} rows", rows);
  if (rows == 0) return of_comments;
  return comments == 0 ? others : of_comments + fmt::format(" and {} other rows", rows);
}

Missing copy_all(const Databases& databases, const lmdb::Transaction& from, lmdb::NewFile& to,
                 const lmdb::Progress& progress) {
  auto all = databases.all();
  std::uint64_t entries = 0;
  for (auto [dbi, name] : all) {
    entries += from.entries(dbi);
  }
  lmdb::Copying copying(from, entries, progress);
  const auto unused = bitmap_index::unused_texts(databases.index, from);
  Missing missing{.of = counted_comments(databases, from)};
  const auto& words = databases.words;
  copy_words(databases, from, to);
  for (auto [dbi, name] : all) {
    if (dbi == words.rows || dbi == words.slots || dbi == words.segments) continue;
    bool comments = dbi == databases.comments;
    auto values =
        dbi == databases.index.ids ? lmdb::ValuesPerKey::several : lmdb::ValuesPerKey::one;
    auto counted = comments ? missing.of : from.entries(dbi),
         copied = dbi == databases.index.texts ? copying.copy(dbi, name, to, values, unused)
                                               : copying.copy(dbi, name, to, values);
    if (copied < counted) (comments ? missing.comments : missing.rows) += counted - copied;
  }
  return missing;
}

Status replace_store(const std::string& directory, lmdb::NewFile& file,
                     std::optional<std::uint64_t> copied) {
  if (auto obstacle = lmdb::put_in_place(directory, file.path(), reader_seconds, copied))
    return hindered(directory, *obstacle);
  file.keep();
  return Done{};
}

Status rewrite(Databases& databases,
               const std::function<void(const lmdb::Transaction&, lmdb::NewFile&)>& write) {
  const auto& directory = databases.directory;
  lmdb::NewFile file(directory + "/data.mdb.new");
  std::uint64_t copied = 0;
  {
    lmdb::ReadTransaction txn(*databases.environment);
    auto used = lmdb::used_bytes(txn.get());
    lmdb::need_room(directory, used + used / 8);
    copied = txn.number();
    write(txn.get(), file);
  }
  file.finish();
  databases.environment.reset();
  return replace_store(directory, file, copied);
}

}  // namespace quire::embedded
