// Inserts many comments at once: sorts them once, then writes each database from front to back.
#include <algorithm>

#include "model/document.h"
#include "store/embedded/edit.h"

namespace quire::embedded {
namespace {

// Writes ascending keys. Behind the last key of the database LMDB can append, which also fills
// pages.
class Appender {
 public:
  Appender(lmdb::WriteTransaction& txn, const lmdb::Sealed& database)
      : database_(database), cursor_(txn.get(), database) {
    if (cursor_.move(MDB_LAST)) last_ = cursor_.key();
    appending_ = last_.empty();
  }

  void put(std::string_view key, std::string_view value) {
    appending_ = appending_ || key > last_;
    cursor_.put(database_, key, value, appending_ ? MDB_APPEND : 0);
  }

 private:
  lmdb::Sealed database_;
  lmdb::Cursor cursor_;
  std::string last_;  // the last key of the database before this appender
  bool appending_;
};

}  // namespace

// Sorts the comments by id, and moves those whose ids are new, each id once, to the front. Returns
// the front. The others stay behind it, so that a second attempt finds all comments again.
std::span<const Comment> Edit::absent(std::vector<Comment>& comments) {
  std::sort(comments.begin(), comments.end(),
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
  std::vector<std::pair<ProductNumber, const Comment*>> clustered;
  clustered.reserve(comments.size());
  for (const auto& comment : comments)
    clustered.emplace_back(product(comment.product).second.row.number, &comment);
  std::stable_sort(clustered.begin(), clustered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Appender documents(txn_, db_.comments);
  for (auto [number, comment] : clustered)
    documents.put(comment_key(number, comment->id), encode_document(*comment));
  write_products();  // while the comments live
  return comments.size();
}

void Edit::add(std::span<const Comment> comments) {
  Appender ids(txn_, db_.ids);
  std::array<char, 4> number;
  for (const auto& comment : comments) {
    auto& [before, row, index] = product(comment.product).second;
    ++row.count(cell(comment.language, comment.rating));
    index.push_back({comment.id, nullptr, &comment});
    put_u32(number.data(), row.number);
    ids.put(comment.id.view(), {number.data(), number.size()});
  }
}

}  // namespace quire::embedded
