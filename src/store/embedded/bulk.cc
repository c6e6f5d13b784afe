// Inserts many comments at once: sorts them once, then writes each database from front to back.
#include <algorithm>

#include "model/document.h"
#include "store/embedded/documents.h"
#include "store/embedded/edit.h"

namespace quire::embedded {

// Sorts the comments by id, and moves those whose ids are new, the first of each id, to the front.
// Returns the front. The others stay behind it, so that a second attempt finds all comments again.
std::span<const Comment> Edit::absent(std::vector<Comment>& comments) {
  std::stable_sort(comments.begin(), comments.end(),
                   [](const Comment& a, const Comment& b) { return a.id < b.id; });
  lmdb::Cursor ids(txn_.get(), db_.ids);
  std::optional<Ulid> last;
  auto end = std::stable_partition(comments.begin(), comments.end(), [&](const Comment& comment) {
    bool again = last == comment.id;
    last = comment.id;
    return !again && !ids.seek(comment.id.view(), MDB_SET);
  });
  return {comments.begin(), end};
}

Result<std::size_t> Edit::insert_many(std::vector<Comment>& given) {
  auto comments = absent(given);
  add(comments);
  std::vector<Clustered> clustered;
  clustered.reserve(comments.size());
  for (const auto& comment : comments)
    clustered.push_back({product(comment.product).second.row.number, &comment});
  std::stable_sort(clustered.begin(), clustered.end(),
                   [](const Clustered& a, const Clustered& b) { return a.product < b.product; });
  put_documents(txn_, db_.comments, clustered);
  write_products();  // while the comments live
  return comments.size();
}

void Edit::add(std::span<const Comment> comments) {
  lmdb::Cursor ids(txn_.get(), db_.ids);
  std::string last(ids.move(MDB_LAST) ? ids.key() : "");
  std::array<char, 4> number;
  for (const auto& comment : comments) {
    auto& [before, row, index] = product(comment.product).second;
    ++row.count(cell(comment.language, comment.rating));
    index.push_back({comment.id, nullptr, &comment});
    put_u32(number.data(), row.number);
    // Behind the last key LMDB can append, which also fills pages.
    ids.put(db_.ids, comment.id.view(), {number.data(), number.size()},
            comment.id.view() > last ? MDB_APPEND : 0);
  }
}

}  // namespace quire::embedded
