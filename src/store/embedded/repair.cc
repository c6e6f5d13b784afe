// Rebuilds a store from its comments and facets: all other databases follow from them.
#include <algorithm>
#include <set>

#include "base/clock.h"
#include "store/embedded/documents.h"
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

// Assigns a number to each product: the number in the product's row where the row can be read, else
// the number in the key of one of its comments.
class Numbers {
 public:
  void claim(const std::string& product, const ProductRow& row) {
    generation_ = std::max(generation_, row.generation);
    if (take(row.number)) numbers_[product] = row.number;
  }

  ProductNumber number_of(const std::string& product, ProductNumber found_under) {
    auto known = numbers_.find(product);
    if (known != numbers_.end()) return known->second;
    ProductNumber number = found_under;
    if (!take(found_under) && !take(number = next_))
      throw std::runtime_error("the store has no product numbers left");
    return numbers_.emplace(product, number).first->second;
  }

  // Rows without comments. Their generation is later than any before, also of rows that are lost:
  // less than a million commits a millisecond came before.
  std::map<std::string, ProductRow> rows() const {
    std::map<std::string, ProductRow> rows;
    auto generation = std::max(generation_ + 1, system_ms() << 20);
    for (const auto& [product, number] : numbers_)
      rows.emplace(product, ProductRow{number, generation, {}});
    return rows;
  }
  ProductNumber next() const { return next_; }

 private:
  bool take(ProductNumber number) {
    if (number >= max_product || !taken_.insert(number).second) return false;
    next_ = std::max(next_, number + 1);
    return true;
  }

  std::map<std::string, ProductNumber> numbers_;
  std::set<ProductNumber> taken_;
  ProductNumber next_ = 0;
  std::uint64_t generation_ = 0;
};

struct Move {
  std::string from;
  std::optional<Key<20>> to;  // absent: the comment cannot be read
};

}  // namespace

Edit::Rebuilt Edit::rebuild() {
  write_products();
  Rebuilt rebuilt;
  Numbers numbers;
  for (const auto& entry : lmdb::Entries(txn_.get(), db_.products)) {
    if (auto row = read_row(db_.products, entry)) numbers.claim(std::string(entry.key()), *row);
  }

  std::vector<Move> moves;
  for (const auto& entry : lmdb::Entries(txn_.get(), db_.comments)) {
    auto comment = read_comment(db_.comments, entry);
    if (!comment) {
      moves.push_back({std::string(entry.key()), {}});
      continue;
    }
    auto number = numbers.number_of(comment->product, get_u32(entry.key().data()));
    auto key = comment_key(number, comment->id);
    if (std::string_view(key) != entry.key()) moves.push_back({std::string(entry.key()), key});
  }
  for (const auto& [from, to] : moves) {
    std::string document(to ? txn_.find(db_.comments, from).value() : "");
    auto taken = to ? txn_.find(db_.comments.dbi, *to) : std::nullopt;
    if (!to || (taken && *taken != lmdb::sealed(db_.comments.seed, *to, document))) {
      set_comment_aside(db_.comments, from, rebuilt);
      continue;
    }
    txn_.remove(db_.comments, from);
    txn_.put(db_.comments, *to, document);
  }

  clear_index();
  rebuild_facets(rebuilt);
  txn_.put(db_.meta, "next_product", number_value(numbers.next()));
  for (const auto& [name, row] : numbers.rows()) txn_.put(db_.products, name, encode_product(row));
  bool has_words = clear_words();
  reindex(rebuilt);
  if (has_words) {
    words().begin(rebuilt.comments);
    while (words().contents().work && build_words()) {
    }
  }
  repair_moderation(rebuilt);
  rebuild_requests();
  repair_tickets(rebuilt);
  drop_from(db_.removed, rebuilt, [](std::string_view key, std::optional<std::string_view> row) {
    return key.size() != Ulid::size || !row || !row->empty();
  });
  repair_votes(rebuilt);
  repair_successors(rebuilt);
  repair_facts(rebuilt);
  drop_from(db_.revisions, rebuilt, [](std::string_view key, std::optional<std::string_view> row) {
    return key.size() != Key<4>::size || !row || !decode_revisions(*row);
  });
  txn_.remove(db_.meta, "last_mark");  // where it is damaged: the clock is far beyond it
  drop_from(db_.meta, rebuilt, [](std::string_view key, std::optional<std::string_view> row) {
    return key != "format" && !row;
  });
  events_.begin_anew();  // readers miss what was set aside
  return rebuilt;
}

void Edit::clear_index() {
  for (MDB_dbi dbi : {db_.products.dbi, db_.ids.dbi, db_.leaders, db_.customers}) txn_.clear(dbi);
  bitmap_index::IndexEdit(db_.index, txn_).clear();
  txn_.put(db_.meta, "hash_key", encode_hash_key(db_.index));
  txn_.put(db_.meta.dbi, "format", format_row());
  keyless_ = false;
}

// All facets are built together with the index. Those whose rows cannot be read are lost.
void Edit::rebuild_facets(Rebuilt& rebuilt) {
  std::vector<std::string> gone;
  std::vector<FacetRow> kept;
  SchemaRow schema;
  for (const auto& entry : lmdb::Entries(txn_.get(), db_.facets)) {
    auto bytes = lmdb::unsealed(db_.facets.seed, entry.key(), entry.value());
    try {
      auto row = decode_facet(entry.key(), bytes.value_or(""));
      schema.next = std::max<FacetNumber>(schema.next, row.number + 1);
      if (row.state != FacetStatus::State::dropping) {
        kept.push_back({row.number, FacetStatus::State::ready, row.facet});
        continue;
      }
    } catch (const std::runtime_error&) {
      ++rebuilt.lost_facets;
    }
    gone.emplace_back(entry.key());
  }
  for (const auto& key : gone) txn_.remove(db_.facets, key);
  for (const auto& row : kept) put_facet(row);
  try {
    auto before = decode_schema(txn_.find(db_.meta, "schema").value_or(""));
    schema = {before.version, std::max(schema.next, before.next)};
  } catch (const std::runtime_error&) {
    // A version that no reader has seen.
    schema.version = system_ms() << 20;
  }
  put_schema(schema);
}

void Edit::reindex(Rebuilt& rebuilt) {
  lmdb::Cursor comments(txn_.get(), db_.comments);
  std::vector<Comment> some;
  std::string last;
  while (bool there = comments.after(last)) {
    for (; there && some.size() < comments_at_once; there = comments.move(MDB_NEXT)) {
      Comment comment = read_comment(db_.comments, comments).value();
      comment.text = {};
      some.push_back(std::move(comment));
      last = comments.key();
    }
    auto kept = set_twins_aside(some, rebuilt);
    rebuilt.comments += kept.size();
    add(kept);
    put_customers(kept);
    write_products();
    some.clear();
  }
}

// Keeps the request keys whose rows can be read and whose comments exist.
void Edit::rebuild_requests() {
  std::vector<std::pair<std::string, OnceRow>> kept;
  for (const auto& entry : lmdb::Entries(txn_.get(), db_.once)) {
    auto bytes = lmdb::unsealed(db_.once.seed, entry.key(), entry.value());
    if (!bytes || bytes->size() < encode_once({}).size() || entry.key().size() != 16) continue;
    OnceRow row = decode_once(*bytes);
    if (txn_.find(db_.ids.dbi, row.id.view()) || is_held(row.id))
      kept.emplace_back(entry.key(), std::move(row));
  }
  for (MDB_dbi dbi : {db_.once.dbi, db_.once_by_id.dbi, db_.once_by_time}) txn_.clear(dbi);
  for (const auto& [key, row] : kept) {
    txn_.put(db_.once, key, encode_once(row));
    txn_.put(db_.once_by_time, by_time_key(row.time_ms, key), {});
    txn_.put(db_.once_by_id, row.id.view(), key);
  }
}

// An id belongs to one comment. Of comments with the same id in several products the first keeps
// it.
SortedComments Edit::set_twins_aside(const std::vector<Comment>& comments, Rebuilt& rebuilt) {
  auto sorted = sorted_by_id(comments);
  std::optional<Ulid> last;
  std::erase_if(sorted, [&](const Comment* comment) {
    if (last != comment->id && !txn_.find(db_.ids.dbi, comment->id.view())) {
      last = comment->id;
      return false;
    }
    auto key = comment_key(product(comment->product).second.row.number, comment->id);
    set_comment_aside(db_.comments, key, rebuilt);
    return true;
  });
  return sorted;
}

// Moves a row to the database `damaged`, under another key than earlier repairs used.
void Edit::set_aside(const lmdb::Sealed& database, std::string_view key) {
  // The bytes as they are on disk, because their checksum may be wrong.
  std::string bytes(txn_.find(database.dbi, key).value());
  std::string new_key(key);
  while (txn_.find(db_.damaged.dbi, new_key)) new_key += '+';
  txn_.put(db_.damaged, new_key, bytes);
  txn_.remove(database, std::string(key));
}

void Edit::set_comment_aside(const lmdb::Sealed& database, std::string_view key, Rebuilt& rebuilt) {
  bool named = key.size() >= Ulid::size && key.size() <= 4 + Ulid::size;
  rebuilt.set_aside.push_back(named ? id_at_end(key).text()
                                    : std::to_string(key.size()) + " bytes");
  set_aside(database, key);
}

}  // namespace quire::embedded
