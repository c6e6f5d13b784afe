#include "page_index/lmdb/edit.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <deque>

#include "base/try.h"
#include "bitmap_index/edit.h"
#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"
#include "model/schema.h"
#include "word_index/state.h"
#include "word_index/terms.h"

namespace quire::page_index {

using change::Change;
using change::Mark;
using change::Phase;

namespace {

// Segments of words that a transaction writes anew: at most 130,000 comments' terms each, 50 ms.
constexpr std::size_t max_rewrites = 8;

// The fields of a comment that facets and words are made of.
Comment comment_of(const Change& change) {
  const auto& [cell, texts, attributes] = *change.to;
  return {.id = change.id,
          .language = list_facets[language_facet].text(cell[language_facet]),
          .rating = static_cast<int>(cell[rating_facet]),
          .title = texts ? texts->title : "",
          .text = texts ? texts->text : "",
          .attributes = attributes};
}

}  // namespace

std::string_view IndexEdit::meta(std::string_view key) const {
  return meta_row(txn_.get(), db_.meta, key);
}

bool IndexEdit::apply(const change::Step& step) {
  if (!at(step)) return false;
  txn_.put(db_.marks, step.shard, encode_mark(step.after));
  for (const auto& shard : step.forget) txn_.remove(db_.marks, shard);
  put(step.changes);
  return true;
}

// Whether the epoch and the mark of the index are those before the step.
bool IndexEdit::at(const change::Step& step) const {
  if (meta("life") != step.epoch) return false;
  auto row = txn_.find(db_.marks, step.shard);
  if (!row || !step.before) return !row && !step.before;
  Mark mark = decode_mark(*row);
  return mark.read_to == step.before->read_to && mark.ended == step.before->ended;
}

void IndexEdit::reset(const change::State& state) {
  for (MDB_dbi dbi : {db_.marks, db_.products.dbi, db_.items.dbi}) txn_.clear(dbi);
  bitmap_index::IndexEdit(db_.index, txn_).clear();
  txn_.put(db_.meta, "next_product", encode_number(0));
  txn_.put(db_.meta, "facets", encode_schema(state.schema));
  txn_.put(db_.meta, "phase", encode_phase(state.phase));
  txn_.put(db_.meta, "life", state.epoch);
  txn_.put(db_.meta, "stream", state.stream);
  for (const auto& [shard, mark] : state.marks) txn_.put(db_.marks, shard, encode_mark(mark));
  clear_words();
  if (txn_.find(db_.meta, words_row)) words().begin(0);
}

bool IndexEdit::change_phase(std::string_view epoch, Phase from, Phase to) {
  if (meta("life") != epoch || decode_phase(meta("phase")) != from) return false;
  txn_.put(db_.meta, "phase", encode_phase(to));
  return true;
}

// Of several changes of one comment, the last one decides.
void IndexEdit::put(const std::vector<Change>& changes) {
  if (changes.empty()) return;
  schema_ = schema_in(meta("facets"));
  std::map<std::string_view, Changes> products;
  auto note = [&](const Change& change) {
    auto& last = products[change.product][change.id];
    last = {&change, last.rewords || change::rewords(change)};
  };
  std::deque<Change> removals;
  for (const Change& change : changes) {
    if (!change.key.empty()) {
      if (auto moved = move_item(change)) {
        note(removals.emplace_back(std::move(*moved)));
      }
      if (!change.to) continue;
    }
    note(change);
  }
  for (const auto& [product, last] : products) put(std::string(product), last);
}

std::optional<Change> IndexEdit::move_item(const Change& change) {
  auto place = item_place(change.id);
  auto bytes = txn_.find(db_.items, place);
  std::optional<Change> before;
  if (bytes) {
    auto row = decode_item(*bytes);
    bool other = row.key != change.key;  // two keys with one hash: the last written has the row
    if (other && !change.to) return {};
    std::array<std::uint8_t, 10> hash;
    std::copy(place.begin(), place.end(), hash.begin());
    if (!other) before = Change{std::move(row.product), Ulid::make(row.created_ms, hash)};
  }
  bool stays = before && change.to && before->product == change.product && before->id == change.id;
  if (stays) return {};
  if (change.to)
    txn_.put(db_.items, place, encode_item({change.id.ms(), change.product, change.key}));
  else if (bytes)
    txn_.remove(db_.items, place);
  return before;
}

Status IndexEdit::declare(const Redeclare& change) {
  auto row = txn_.find(db_.meta, "declared");
  TRY(auto schema, change(row ? schema_in(*row) : Schema(), schema_in(meta("facets"))));
  txn_.put(db_.meta, "declared", encode_schema(schema));
  return Done{};
}

void IndexEdit::want_words() {
  txn_.put(db_.meta, words_row, {});
}

Status IndexEdit::drop_words() {
  if (!txn_.find(db_.meta, words_row))
    return Error{ErrorCode::not_found, "This page index has no words: quire words list."};
  txn_.remove(db_.meta, words_row);
  clear_words();
  return Done{};
}

word_index::IndexEdit& IndexEdit::words() {
  if (words_) return *words_;
  try {
    words_.emplace(db_.words, db_.index, txn_);
  } catch (const word_index::DamagedWords& damaged) {
    give_words_up(damaged);
    words_.emplace(db_.words, db_.index, txn_);
  }
  return *words_;
}

// Pages need no words, so their damage stops no step.
void IndexEdit::give_words_up(const word_index::DamagedWords& damaged) {
  spdlog::error(
      "the words of the page index are damaged, and removed; quire backfill brings them: {}",
      damaged.what());
  clear_words();
}

void IndexEdit::clear_words() {
  for (MDB_dbi dbi : {db_.words.rows.dbi, db_.words.slots.dbi, db_.words.segments.dbi})
    txn_.clear(dbi);
  words_.reset();
}

void IndexEdit::finish() try {
  auto phase = txn_.find(db_.meta, "phase");
  bool builds = phase && decode_phase(*phase) == Phase::building;
  words().tidy(max_rewrites, !builds);
  words().finish();
} catch (const word_index::DamagedWords& damaged) {
  give_words_up(damaged);
}

// Before the same changes reach the bitmap index. A comment that goes on with its words keeps its
// slot: votes, say, change attributes alone.
void IndexEdit::put_words(bitmap_index::Product product, const Changes& changes) {
  if (words().contents().state == word_index::State::other_rules) clear_words();
  if (!words().contents().changes()) return;
  bitmap_index::Reader reader(txn_.get(), db_.index, product);
  std::vector<word_index::Change> reworded;
  for (const auto& [id, last] : changes) {
    if (!last.rewords && reader.has(id)) continue;
    auto& made = reworded.emplace_back(word_index::Change{id, {}});
    if (const auto& to = last.change->to)
      made.terms = to->texts ? word_index::terms_of(comment_of(*last.change)) : word_index::Terms();
  }
  try {
    words().apply(product, std::move(reworded));
  } catch (const word_index::DamagedWords& damaged) {
    give_words_up(damaged);
  }
}

void IndexEdit::put(const std::string& product, const Changes& last) {
  auto bytes = txn_.find(db_.products, product);
  bool adds = std::any_of(last.begin(), last.end(),
                          [](const auto& each) { return each.second.change->to.has_value(); });
  if (!bytes && !adds) return;
  auto number = bytes ? decode_product(*bytes).number : next_product(txn_, db_.meta);
  ProductRow row{number, mdb_txn_id(txn_.get())};
  std::vector<Comment> comments;
  comments.reserve(last.size());  // the changes refer to their texts
  std::vector<bitmap_index::Change> changes;
  for (const auto& [id, of_comment] : last) {
    const auto* change = of_comment.change;
    auto& made = changes.emplace_back(bitmap_index::Change{id, {}});
    if (!change->to) continue;
    comments.push_back(comment_of(*change));
    made.values = bitmap_index::values_of(db_.index.hash_key, schema_, comments.back());
  }
  put_words(row.number, last);
  bitmap_index::IndexEdit(db_.index, txn_).apply(row.number, changes);
  bool any_left = bitmap_index::Reader(txn_.get(), db_.index, row.number).length() > 0;
  if (any_left)
    txn_.put(db_.products, product, encode_product(row));
  else
    txn_.remove(db_.products, product);
}

}  // namespace quire::page_index
