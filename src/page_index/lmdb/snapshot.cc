#include "page_index/lmdb/snapshot.h"

#include "page_index/lmdb/layout.h"

namespace quire::page_index {

std::string_view Snapshot::meta(std::string_view key) const {
  auto value = txn_.find(db_.meta, key);
  if (!value) throw lmdb::Damaged("the state is damaged");
  return *value;
}

change::State Snapshot::state() {
  change::State state{decode_phase(meta("phase")),
                      std::string(meta("life")),
                      std::string(meta("stream")),
                      {},
                      schema()};
  lmdb::Cursor cursor(txn_.get(), db_.marks);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT))
    state.marks.emplace(cursor.key(), decode_mark(cursor.value()));
  return state;
}

Schema Snapshot::schema() const {
  return schema_in(meta("facets"));
}

std::vector<std::string> Snapshot::products(std::string_view after, std::size_t limit) {
  std::vector<std::string> products;
  lmdb::Cursor cursor(txn_.get(), db_.products);
  bool there = after.empty() ? cursor.move(MDB_FIRST) : cursor.seek(after, MDB_SET_RANGE);
  if (there && cursor.key() == after) there = cursor.move(MDB_NEXT);
  for (; there && products.size() < limit; there = cursor.move(MDB_NEXT))
    products.emplace_back(cursor.key());
  return products;
}

std::vector<FacetValue> Snapshot::languages(std::string_view product) const {
  std::vector<FacetValue> languages;
  auto source = bitmaps(product);
  if (!source.reader) return languages;
  for (const auto& [code, ids] : source.reader->values(language_number)) {
    auto text = source.reader->text(language_number, code);
    auto language = text ? list_facets[language_facet].parse(*text) : std::nullopt;
    if (!language) throw lmdb::Damaged("the text of a language is damaged");
    languages.push_back(*language);
  }
  return languages;
}

bitmap_index::Source Snapshot::bitmaps(std::string_view product) const {
  bitmap_index::Source source{nullptr, db_.index.hash_key, 0, db_.kept.get()};
  auto bytes = txn_.find(db_.products, product);
  if (!bytes) return source;
  auto row = decode_product(*bytes);
  source.reader = std::make_unique<bitmap_index::Reader>(txn_.get(), db_.index, row.number);
  source.generation = row.generation;
  return source;
}

}  // namespace quire::page_index
