// The comments are the truth; all else follows from them, and can be made anew.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "model/document.h"
#include "store/lmdb/edit.h"

namespace quire::embedded {
namespace {

constexpr std::size_t comments_at_once = 100'000;

std::optional<ProductRow> read_row(std::string_view bytes) try {
  return decode_product(bytes);
} catch (const std::runtime_error&) {
  return {};
}

// The comment under a key, if its document can be read and is the key's.
std::optional<Comment> read_comment(const lmdb::Cursor& cursor) {
  if (cursor.key().size() != 4 + Ulid::size) return {};
  auto comment = decode_document(cursor.value());
  if (!comment || comment->id != id_at_end(cursor.key())) return {};
  return comment;
}

// Which block names which product: as the products' rows say where they can be read; else the one
// under which a comment of the product was found.
class Blocks {
 public:
  void claim(const std::string& product, const ProductRow& row) {
    if (!take(row.block)) return;
    rows_[product] = row;
    for (auto& language : rows_[product].languages) language.comments = {};
    std::erase_if(rows_[product].languages,
                  [&](const LanguageRow& language) { return !take(language.block); });
  }

  Block block_of(const std::string& product, Block found_under) {
    auto known = rows_.find(product);
    if (known == rows_.end()) {
      Block block = take(found_under) ? found_under : next_;
      take(block);
      known = rows_.emplace(product, ProductRow{block, {}}).first;
    }
    return known->second.block;
  }

  const std::map<std::string, ProductRow>& rows() const { return rows_; }
  Block next() const { return next_; }

 private:
  bool take(Block block) {
    if (block > last_block || !taken_.insert(block).second) return false;
    next_ = std::max(next_, block + 1);
    return true;
  }

  std::map<std::string, ProductRow> rows_;
  std::set<Block> taken_;
  Block next_ = 0;
};

bool after(lmdb::Cursor& cursor, std::string_view key) {
  if (!cursor.seek(key, MDB_SET_RANGE)) return false;
  return cursor.key() != key || cursor.move(MDB_NEXT);
}

struct Move {
  std::string from;
  std::optional<Key<20>> to;  // absent: cannot be read
};

}  // namespace

Edit::Rebuilt Edit::rebuild() {
  Rebuilt rebuilt;
  Blocks blocks;
  lmdb::Cursor rows(txn_.get(), db_.products);
  for (bool there = rows.move(MDB_FIRST); there; there = rows.move(MDB_NEXT)) {
    if (auto row = read_row(rows.value())) blocks.claim(std::string(rows.key()), *row);
  }

  std::vector<Move> moves;
  lmdb::Cursor comments(txn_.get(), db_.comments);
  for (bool there = comments.move(MDB_FIRST); there; there = comments.move(MDB_NEXT)) {
    auto comment = read_comment(comments);
    if (!comment) {
      moves.push_back({std::string(comments.key()), {}});
      continue;
    }
    auto key =
        comment_key(blocks.block_of(comment->product, get_u32(comments.key().data())), comment->id);
    if (std::string_view(key) != comments.key())
      moves.push_back({std::string(comments.key()), key});
  }
  for (const auto& [from, to] : moves) {
    std::string document(txn_.find(db_.comments, from).value());
    txn_.remove(db_.comments, from);
    txn_.put(to ? db_.comments : db_.damaged, to ? std::string_view(*to) : from, document);
    ++(to ? rebuilt.moved : rebuilt.set_aside);
  }

  for (auto dbi : {db_.products, db_.ids, db_.lists, db_.leaders}) txn_.clear(dbi);
  std::string next(4, '\0');
  put_u32(next.data(), blocks.next());
  txn_.put(db_.meta, "next_block", next);
  for (const auto& [name, row] : blocks.rows()) txn_.put(db_.products, name, encode_product(row));
  std::vector<Comment> some;
  std::string last;
  while (bool there = last.empty() ? comments.move(MDB_FIRST) : after(comments, last)) {
    for (; there && some.size() < comments_at_once; there = comments.move(MDB_NEXT)) {
      some.push_back(read_comment(comments).value());
      last = comments.key();
    }
    rebuilt.set_aside += set_twins_aside(some, blocks.rows());
    rebuilt.comments += some.size();
    index(some);
    some.clear();
  }
  return rebuilt;
}

// An id belongs to one comment. Of several, in several products, the first keeps it.
std::size_t Edit::set_twins_aside(std::vector<Comment>& comments,
                                  const std::map<std::string, ProductRow>& rows) {
  std::stable_sort(comments.begin(), comments.end(),
                   [](const Comment& a, const Comment& b) { return a.id < b.id; });
  std::optional<Ulid> last;
  return std::erase_if(comments, [&](const Comment& comment) {
    if (last != comment.id && !txn_.find(db_.ids, comment.id.view())) {
      last = comment.id;
      return false;
    }
    auto key = comment_key(rows.at(comment.product).block, comment.id);
    txn_.remove(db_.comments, key);
    txn_.put(db_.damaged, key, encode_document(comment));
    return true;
  });
}

}  // namespace quire::embedded
