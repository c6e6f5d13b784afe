#include "page_index/lmdb/snapshot.h"

#include <algorithm>
#include <bit>

#include "bitmap_index/numbers.h"
#include "bitmap_index/reading/selection.h"
#include "bitmap_index/verify.h"
#include "loop/awaitable.h"
#include "word_index/databases.h"
#include "word_index/state.h"

namespace quire::page_index {

namespace {

using bitmap_index::Block;
using bitmap_index::BlockRow;
using bitmap_index::Code;
using bitmap_index::Reader;

AttributeValue value_of(Reader& reader, const SchemaFacet& facet, Code code, std::uint64_t rest) {
  switch (facet.facet().type) {
    case FacetType::flag:
      return code != 0;
    case FacetType::number:
      return bitmap_index::decode_number({code, rest});
    case FacetType::choice:
    case FacetType::tags:
      break;
  }
  auto text = reader.text(facet.number, code);
  if (!text) throw lmdb::Damaged("a value has no text");
  return std::move(*text);
}

// Adds the value of a comment; a tag joins the other tags.
void add(IndexedComment& comment, const SchemaFacet& facet, const AttributeValue& value) {
  if (facet.facet().type != FacetType::tags) {
    comment.values.insert_or_assign(facet.number, value);
    return;
  }
  auto& tags = comment.values.try_emplace(facet.number, std::vector<std::string>()).first->second;
  std::get<std::vector<std::string>>(tags).push_back(std::get<std::string>(value));
}

// Adds the values of a facet in one block.
void add_facet(Reader& reader, const SchemaFacet& facet, const BlockRow& row,
               std::vector<IndexedComment>& comments) {
  bitmap_index::Words words(bitmap_index::words_for(row.ids()));
  for (std::size_t entry = 0; entry < row.entries(); ++entry) {
    std::fill(words.begin(), words.end(), 0);
    row.add_to(words, entry);
    std::optional<AttributeValue> shared;  // by all comments with this code
    bool number = facet.facet().type == FacetType::number;
    std::size_t n = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (auto bits = words[word]; bits != 0; bits &= bits - 1) {
        auto position = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        if (position >= comments.size()) throw lmdb::Damaged("a bitmap is longer than its block");
        if (number || !shared)
          shared = value_of(reader, facet, row.code(entry), number ? row.rest(entry, n) : 0);
        add(comments[position], facet, *shared);
        ++n;
      }
    }
  }
}

std::vector<IndexedComment> read_block(Reader& reader, const Schema& schema, const Block& block) {
  std::vector<IndexedComment> comments(block.ids);
  bitmap_index::BlockIds ids(reader, block.start);
  for (std::size_t i = 0; i < comments.size(); ++i) comments[i].id = ids.at(i);
  for (const auto& facet : schema.facets()) {
    if (auto row = reader.row(facet.number, block.start)) add_facet(reader, facet, *row, comments);
  }
  for (auto& comment : comments) {  // tags lie by the hashes of their texts
    for (auto& [number, value] : comment.values) {
      if (auto* tags = std::get_if<std::vector<std::string>>(&value))
        std::sort(tags->begin(), tags->end());
    }
  }
  return comments;
}

}  // namespace

std::vector<IndexedComment> read_members(Reader& reader, const Schema& schema,
                                         std::optional<Ulid> after, std::size_t limit) {
  std::vector<IndexedComment> found;
  auto starts = reader.counts(bitmap_index::every_id, 0, 0);
  if (after) starts.seek_back(*after);
  if (!starts.there()) starts.seek({});  // the oldest id may start a block itself
  for (; starts.there() && found.size() < limit; starts.next()) {
    auto block = reader.block(starts.start());
    for (auto& comment : read_block(reader, schema, block)) {
      if ((!after || *after < comment.id) && found.size() < limit)
        found.push_back(std::move(comment));
    }
  }
  return found;
}

std::string_view Snapshot::meta(std::string_view key) const {
  return meta_row(txn_.get(), db_.meta, key);
}

change::State Snapshot::state() {
  change::State state{
      phase(), std::string(meta("life")), std::string(meta("stream")), {}, schema()};
  auto words = words_state();
  state.lacks_words =
      words == word_index::State::building || words == word_index::State::other_rules;
  lmdb::Cursor cursor(txn_.get(), db_.marks);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT))
    state.marks.emplace(cursor.key(), decode_mark(cursor.value()));
  return state;
}

change::Phase Snapshot::phase() const {
  return decode_phase(meta("phase"));
}

Schema Snapshot::schema() const {
  return schema_in(meta("facets"));
}

Schema Snapshot::declared() const {
  auto row = txn_.find(db_.meta, "declared");
  return row ? schema_in(*row) : Schema();
}

word_index::State Snapshot::words_state() const {
  using word_index::State;
  if (!txn_.find(db_.meta, words_row)) return State::absent;
  try {
    auto state = word_index::read_contents(db_.words, txn_.get()).state;
    return state == State::absent ? State::building : state;
  } catch (const lmdb::Damaged&) {
    return State::building;  // quire backfill brings them, and pages need none
  }
}

IndexedWords Snapshot::words() const {
  IndexedWords words{words_state(), word_index::page_bytes(db_.words, txn_.get())};
  if (words.state == word_index::State::ready && phase() == change::Phase::building)
    words.state = word_index::State::building;
  return words;
}

std::vector<std::uint64_t> Snapshot::word_sums(std::string_view product,
                                               std::span<const Ulid> ids) const {
  auto source = bitmaps(product);
  if (!source.reader || words_state() != word_index::State::ready)
    return std::vector<std::uint64_t>(ids.size());
  return db_.word_sums->of(db_.words, txn_.get(), meta("life"), *source.reader, ids);
}

std::optional<ItemRow> Snapshot::item(const Ulid& id) const {
  auto bytes = txn_.find(db_.items, item_place(id));
  if (!bytes) return {};
  auto row = decode_item(*bytes);
  if (row.created_ms != id.ms()) return {};  // the item has another time, and another id, by now
  return row;
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
  source.reader =
      std::make_unique<bitmap_index::Reader>(txn_.get(), db_.index, row.number, &db_.words);
  source.generation = row.generation;
  if (source.reader->height() == 0) source.kept = nullptr;  // one block is counted at once
  return source;
}

// The values that the blocks hold of each comment tell all other rows.
Awaitable<std::vector<std::string>> Snapshot::flaws(std::string_view product) const {
  constexpr std::size_t comments_at_once = 1000;
  std::vector<std::string> sentences;
  auto bytes = txn_.find(db_.products, product);
  if (!bytes) co_return sentences;
  auto number = decode_product(*bytes).number;
  bitmap_index::Reader reader(txn_.get(), db_.index, number);
  bitmap_index::Verification verification(txn_.get(), db_.index, number);
  auto facets = schema();
  std::vector<IndexedComment> comments;
  std::optional<Ulid> last;
  do {
    comments = read_members(reader, facets, last, comments_at_once);
    for (const auto& each : comments) {
      auto comment = comment_of(each, facets);
      verification.expect(number, each.id,
                          bitmap_index::values_of(db_.index.hash_key, facets, comment));
      last = each.id;
    }
    if (turn_is_over()) co_await next_turn();
  } while (comments.size() == comments_at_once);
  for (auto& difference : verification.finish()) sentences.push_back(std::move(difference.what));
  co_return sentences;
}

}  // namespace quire::page_index
