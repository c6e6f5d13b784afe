// Reads a store of format 2 or 3 and writes one of the present format. Numbers of products, ids and
// comments stay; lists go, and the bitmap index is built from the comments.
#include "store/embedded/upgrade/upgrade.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bitmap_index/edit.h"
#include "bitmap_index/reading/selection.h"
#include "model/document.h"
#include "store/embedded/format/tables.h"
#include "store/embedded/upgrade/old_rows.h"

namespace quire::embedded {
namespace {

using Bytes = std::string_view;

constexpr const char* read_names[] = {"meta", "products", "comments", "ids", "damaged", "once"};
constexpr std::size_t comments_at_once = 50'000;  // in the index; bounds the memory for them
constexpr std::size_t index_bytes = 64;           // of a comment, about

class Upgrade {
 public:
  Upgrade(std::uint32_t format, MDB_txn* from, lmdb::NewFile& to, const lmdb::Progress& progress)
      : format_(format),
        from_(from),
        to_(to),
        store_(make_tables(to)),
        copying_(from, entries(), progress) {}

  void run() {
    meta();
    products();
    comments();
    keep("ids", store_.ids);
    keep("damaged", store_.damaged);
    requests();
  }

 private:
  MDB_dbi old(const char* name) const { return lmdb::open_database(from_, name, 0); }

  std::uint64_t entries() const {
    std::uint64_t sum = 0;
    for (auto name : read_names) {
      MDB_stat stat{};
      lmdb::check("reading", mdb_stat(from_, old(name), &stat));
      sum += stat.ms_entries;
    }
    return sum;
  }

  // A value of a database whose values have checksums since format 3. Nothing: it is damaged.
  std::optional<Bytes> whole(const char* name, Bytes key, Bytes bytes) const {
    return format_ == 2 ? bytes : lmdb::unsealed(lmdb::seal_seed(name), key, bytes);
  }

  // Appends a value that cannot be read, so that quire verify finds it: with the bytes it has, and
  // a checksum that is wrong in format 3 and right in format 2, which had none.
  void append_damaged(const lmdb::Sealed& database, Bytes key, Bytes bytes) {
    if (format_ == 2) return to_.append(database, key, bytes);
    to_.append(database.dbi, key, bytes);
  }

  // Format 2 has no checksums: a value that is longer than it should be shows another format.
  void meta() {
    constexpr std::size_t size = 4;
    auto next = lmdb::find(from_, old("meta"), "next_block");
    bool sealed = next && next->size() == size + lmdb::seal_size;
    if (!next || (format_ == 2 ? next->size() != size : !sealed))
      throw std::runtime_error(fmt::format("it is not of format {}, though it says so", format_));
    auto number = whole("meta", "next_block", *next);
    if (number) return to_.put(store_.meta, "next_product", *number);
    to_.put(store_.meta.dbi, "next_product", *next);
  }

  // Copies a database whose rows are the same in the present format.
  void keep(const char* name, const lmdb::Sealed& database) {
    copying_.walk(old(name), [&](Bytes key, Bytes bytes) {
      if (format_ == 2) return to_.append(database, key, bytes);
      to_.append(database.dbi, key, bytes);  // with the same checksum
    });
  }

  void products() {
    copying_.walk(old("products"), [&](Bytes key, Bytes bytes) {
      auto value = whole("products", key, bytes);
      auto row = value ? decode_old_product(*value) : std::nullopt;
      if (!row) return append_damaged(store_.products, key, bytes);
      to_.append(store_.products, key, encode_product(*row));
      leaders(key, any, row->ratings());
      for (const auto& each : row->languages) leaders(key, each.language, each.comments);
    });
  }

  void leaders(Bytes product, FacetValue language, const RatingCounts& counts) {
    for (auto kind : {LeaderKind::five_star, LeaderKind::average}) {
      auto key = leader_key(kind, language, product, counts);
      if (key) to_.put(store_.leaders, *key, {});
    }
  }

  void comments() {
    copying_.walk(old("comments"), [&](Bytes key, Bytes bytes) {
      auto value = whole("comments", key, bytes);
      auto comment = value ? decode_old_document(*value) : std::nullopt;
      if (!comment) return append_damaged(store_.comments, key, bytes);
      to_.append(store_.comments, key, encode_document(*comment));
      if (key.size() == 4 + Ulid::size && comment->id == id_at_end(key))
        index(get_u32(key.data()), std::move(*comment));
    });
    write_index();
  }

  void index(ProductNumber product, Comment comment) {
    if (product != product_ || indexed_.size() == comments_at_once) write_index();
    product_ = product;
    comment.text = {};
    indexed_.push_back(std::move(comment));
  }

  void write_index() {
    if (indexed_.empty()) return;
    std::vector<bitmap_index::Change> changes;
    changes.reserve(indexed_.size());
    for (const auto& comment : indexed_) {
      changes.push_back(
          {comment.id, bitmap_index::values_of(store_.index.hash_key, Schema(), comment)});
    }
    to_.edit(indexed_.size() * index_bytes, [&](lmdb::WriteTransaction& txn) {
      bitmap_index::Edit(store_.index, txn).apply(product_, changes);
    });
    indexed_.clear();
  }

  // Leaves out the request keys of deleted comments, which format 2 kept.
  void requests() {
    MDB_dbi ids = old("ids");
    copying_.walk(old("once"), [&](Bytes key, Bytes bytes) {
      auto value = whole("once", key, bytes);
      if (!value) return append_damaged(store_.once, key, bytes);
      const std::size_t head = format_ == 2 ? 24 : 40;  // time, digest of the body; the id
      auto comment = value->size() > head ? decode_old_document(value->substr(head)) : std::nullopt;
      if (!comment || key.size() != 16 || !lmdb::find(from_, ids, comment->id.view())) return;
      OnceRow row{get_u64(value->data()), {}, comment->id, encode_document(*comment)};
      std::copy_n(value->data() + 8, row.body.size(), row.body.begin());
      to_.append(store_.once, key, encode_once(row));
      to_.put(store_.once_by_id, row.id.view(), key);
      to_.put(store_.once_by_time, once_by_time_key(row.time_ms, key), {});
    });
  }

  const std::uint32_t format_;
  MDB_txn* from_;
  lmdb::NewFile& to_;
  Tables store_;
  lmdb::Copying copying_;
  ProductNumber product_ = 0;     // of indexed_
  std::vector<Comment> indexed_;  // whose entries in the index are not written yet
};

}  // namespace

bool can_upgrade(std::uint32_t format) {
  return format == 2 || format == 3;
}

void upgrade(std::uint32_t format, MDB_txn* from, lmdb::NewFile& to,
             const lmdb::Progress& progress) {
  Upgrade(format, from, to, progress).run();
}

}  // namespace quire::embedded
