// Inserts many comments at once: sorts them once, then writes each database from front to back.
#include <algorithm>

#include "lmdb/ranked_set.h"
#include "model/document.h"
#include "model/index.h"
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
  auto products = index(comments);
  std::vector<std::pair<Block, const Comment*>> clustered;
  clustered.reserve(comments.size());
  for (const auto& comment : comments)
    clustered.emplace_back(products.find(comment.product)->second.block, &comment);
  std::stable_sort(clustered.begin(), clustered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Appender documents(txn_, db_.comments);
  for (auto [block, comment] : clustered) {
    documents.put(comment_key(block, comment->id), encode_document(*comment));
  }
  return comments.size();
}

Edit::Products Edit::index(std::span<const Comment> comments) {
  Products before, products;
  for (const auto& comment : comments) {
    auto at = products.find(comment.product);
    if (at == products.end()) {
      at = products.emplace(comment.product, product(comment.product)).first;
      before.insert(*at);
    }
    auto values = cell(comment.language, comment.rating);
    ++language(at->second, values[language_facet]).comments[comment.rating - 1];
  }
  std::vector<ListEntry> entries;
  entries.reserve(comments.size() * indexes.size());
  Appender ids(txn_, db_.ids);
  for (const auto& comment : comments) {
    const ProductRow& row = products.find(comment.product)->second;
    std::array<char, 4> block;
    put_u32(block.data(), row.block);
    ids.put(comment.id.view(), {block.data(), block.size()});
    for (auto list : lists_of(row, cell(comment.language, comment.rating)))
      entries.push_back({list, comment.id});
  }
  enlist(std::move(entries));
  for (const auto& [name, row] : products) put_product(name, before.at(name), row);
  return products;
}

void Edit::enlist(std::vector<ListEntry> entries) {
  std::sort(entries.begin(), entries.end());
  std::vector<lmdb::RankedChange> changes;
  for (auto from = entries.begin(); from != entries.end();) {
    auto list = from->first;
    changes.clear();
    for (; from != entries.end() && from->first == list; ++from)
      changes.push_back({from->second, true});
    lmdb::apply(txn_, db_.lists, list, changes);
  }
}

}  // namespace quire::embedded
