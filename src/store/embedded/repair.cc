// Rebuilds a store from its comments: all other databases follow from them.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "model/document.h"
#include "store/embedded/edit.h"

namespace quire::embedded {
namespace {

constexpr std::size_t comments_at_once = 100'000;

std::optional<ProductRow> read_row(const lmdb::Sealed& products, const lmdb::Cursor& cursor) try {
  auto row = lmdb::unsealed(products.seed, cursor.key(), cursor.value());
  return row ? std::optional(decode_product(*row)) : std::nullopt;
} catch (const std::runtime_error&) {
  return {};
}

// The comment under the cursor. Nothing: its document is damaged, or belongs to another key.
std::optional<Comment> read_comment(const lmdb::Sealed& comments, const lmdb::Cursor& cursor) {
  if (cursor.key().size() != 4 + Ulid::size) return {};
  auto document = lmdb::unsealed(comments.seed, cursor.key(), cursor.value());
  auto comment = document ? decode_document(*document) : std::nullopt;
  if (!comment || comment->id != id_at_end(cursor.key())) return {};
  return comment;
}

// Assigns a block to each product: the block in the product's row where the row can be read, else
// the block in the key of one of its comments. Languages get new blocks later.
class Blocks {
 public:
  void claim(const std::string& product, Block block) {
    if (take(block)) rows_[product] = {block, {}};
  }

  Block block_of(const std::string& product, Block found_under) {
    auto known = rows_.find(product);
    if (known == rows_.end()) {
      Block block = found_under;
      if (!take(found_under) && !take(block = next_))
        throw std::runtime_error("the store has no list numbers left");
      known = rows_.emplace(product, ProductRow{block, {}}).first;
    }
    return known->second.block;
  }

  const std::map<std::string, ProductRow>& rows() const { return rows_; }
  Block next() const { return next_; }

 private:
  bool take(Block block) {
    if (block >= max_block || !taken_.insert(block).second) return false;
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
  std::optional<Key<20>> to;  // absent: the comment cannot be read
};

}  // namespace

Edit::Rebuilt Edit::rebuild() {
  Rebuilt rebuilt;
  Blocks blocks;
  lmdb::Cursor rows(txn_.get(), db_.products);
  for (bool there = rows.move(MDB_FIRST); there; there = rows.move(MDB_NEXT)) {
    if (auto row = read_row(db_.products, rows)) blocks.claim(std::string(rows.key()), row->block);
  }

  std::vector<Move> moves;
  lmdb::Cursor comments(txn_.get(), db_.comments);
  for (bool there = comments.move(MDB_FIRST); there; there = comments.move(MDB_NEXT)) {
    auto comment = read_comment(db_.comments, comments);
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
    std::string document(to ? txn_.find(db_.comments, from).value() : "");
    auto taken = to ? txn_.find(db_.comments.dbi, *to) : std::nullopt;
    if (!to || (taken && *taken != lmdb::sealed(db_.comments.seed, *to, document))) {
      rebuilt.set_aside.push_back(set_aside(from));
      continue;
    }
    txn_.remove(db_.comments, from);
    txn_.put(db_.comments, *to, document);
  }

  for (MDB_dbi dbi : {db_.products.dbi, db_.ids.dbi, db_.lists.dbi, db_.leaders}) txn_.clear(dbi);
  std::string next(4, '\0');
  put_u32(next.data(), blocks.next());
  txn_.put(db_.meta, "next_block", next);
  for (const auto& [name, row] : blocks.rows()) txn_.put(db_.products, name, encode_product(row));
  reindex(blocks.rows(), rebuilt);
  rebuild_requests();
  return rebuilt;
}

void Edit::reindex(const std::map<std::string, ProductRow>& rows, Rebuilt& rebuilt) {
  lmdb::Cursor comments(txn_.get(), db_.comments);
  std::vector<Comment> some;
  std::string last;
  while (bool there = last.empty() ? comments.move(MDB_FIRST) : after(comments, last)) {
    for (; there && some.size() < comments_at_once; there = comments.move(MDB_NEXT)) {
      Comment comment = read_comment(db_.comments, comments).value();
      some.push_back({comment.id, comment.product, comment.language, comment.rating, {}, {}, {}});
      last = comments.key();
    }
    set_twins_aside(some, rows, rebuilt);
    rebuilt.comments += some.size();
    index(some);
    some.clear();
  }
}

// Keeps the request keys whose rows can be read and whose comments exist.
void Edit::rebuild_requests() {
  std::vector<std::pair<std::string, OnceRow>> kept;
  lmdb::Cursor cursor(txn_.get(), db_.once);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    auto bytes = lmdb::unsealed(db_.once.seed, cursor.key(), cursor.value());
    if (!bytes || bytes->size() < encode_once({}).size() || cursor.key().size() != 16) continue;
    OnceRow row = decode_once(*bytes);
    if (txn_.find(db_.ids.dbi, row.id.view())) kept.emplace_back(cursor.key(), std::move(row));
  }
  for (MDB_dbi dbi : {db_.once.dbi, db_.once_by_id.dbi, db_.once_by_time}) txn_.clear(dbi);
  for (const auto& [key, row] : kept) {
    txn_.put(db_.once, key, encode_once(row));
    txn_.put(db_.once_by_time, once_by_time_key(row.time_ms, key), {});
    txn_.put(db_.once_by_id, row.id.view(), key);
  }
}

// An id belongs to one comment. Of comments with the same id in several products the first keeps
// it.
void Edit::set_twins_aside(std::vector<Comment>& comments,
                           const std::map<std::string, ProductRow>& rows, Rebuilt& rebuilt) {
  std::stable_sort(comments.begin(), comments.end(),
                   [](const Comment& a, const Comment& b) { return a.id < b.id; });
  std::optional<Ulid> last;
  std::erase_if(comments, [&](const Comment& comment) {
    if (last != comment.id && !txn_.find(db_.ids.dbi, comment.id.view())) {
      last = comment.id;
      return false;
    }
    auto key = comment_key(rows.at(comment.product).block, comment.id);
    rebuilt.set_aside.push_back(set_aside(std::string_view(key)));
    return true;
  });
}

// Moves the row of a comment to the database `damaged`, under another key than earlier repairs
// used. Returns a name of the comment for people.
std::string Edit::set_aside(std::string_view key) {
  // The bytes as they are on disk, because their checksum may be wrong.
  std::string document(txn_.find(db_.comments.dbi, key).value());
  std::string new_key(key);
  while (txn_.find(db_.damaged.dbi, new_key)) new_key += '+';
  txn_.put(db_.damaged, new_key, document);
  std::string name =
      key.size() == 4 + Ulid::size ? id_at_end(key).text() : std::to_string(key.size()) + " bytes";
  txn_.remove(db_.comments, std::string(key));
  return name;
}

}  // namespace quire::embedded
