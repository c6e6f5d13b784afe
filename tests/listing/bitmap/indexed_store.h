// A store in memory with a bitmap index on disk, whose blocks are small.
#pragma once

#include <algorithm>

#include "bitmap_index/edit.h"
#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"
#include "listing/plain_store.h"
#include "lmdb/environment.h"
#include "store/views.h"
#include "temporary_directory.h"
#include "word_index/databases.h"
#include "word_index/edit.h"
#include "word_index/state.h"
#include "words/terms.h"

namespace quire {

// The databases of an index in an environment of its own.
inline bitmap_index::Databases index_in(lmdb::Environment& environment) {
  lmdb::WriteTransaction txn(environment);
  auto db = bitmap_index::open_databases(txn.get(), MDB_CREATE, 20261122);
  txn.commit();
  db.block_bits = 3;
  db.group_bits = 1;
  return db;
}

inline word_index::Databases words_in(lmdb::Environment& environment) {
  lmdb::WriteTransaction txn(environment);
  auto words = word_index::open_databases(txn.get(), MDB_CREATE);
  txn.commit();
  return words;
}

class IndexedStore : public PlainStore {
 public:
  std::unique_ptr<View> view() override { return std::make_unique<IndexedView>(*this); }

  // From now on there are words: call it while there are no comments. `comments`: as if there were
  // so many, of which the index is built now.
  void add_words(std::uint64_t comments = 0) {
    lmdb::WriteTransaction txn(environment_);
    word_index::IndexEdit words(words_, db_, txn);
    words.begin(comments);
    words.finish();
    txn.commit();
  }

 private:
  class IndexedView : public PlainView, public BitmapView {
   public:
    explicit IndexedView(IndexedStore& store)
        : PlainView(store.state()), store_(store), txn_(store.environment_) {}

    BitmapView* bitmap_view() override { return this; }
    Result<std::optional<bitmap_index::Source>> bitmaps(std::string_view product) override {
      bitmap_index::Source source{.hash_key = store_.db_.hash_key, .kept = &store_.kept_};
      auto found = store_.products_.find(product);
      if (found == store_.products_.end()) return std::optional(std::move(source));
      const auto& [number, generation] = found->second;
      source.generation = generation;
      source.reader =
          std::make_unique<bitmap_index::Reader>(txn_.get(), store_.db_, number, &store_.words_);
      return std::optional(std::move(source));
    }
    Result<word_index::State> words() override {
      return word_index::read_contents(store_.words_, txn_.get()).state;
    }

   private:
    IndexedStore& store_;
    lmdb::ReadTransaction txn_;
  };

  struct Product {
    bitmap_index::Product number;
    std::uint64_t generation = 1;
  };

  // The values of a comment, whose texts live as long as `comment`. Absent: it is not there.
  std::optional<std::vector<bitmap_index::Value>> values(const PlainState& state,
                                                         Comment& comment) {
    if (!state.ids.contains(comment.id)) return {};
    comment = decode_document(state.products.at(comment.product).at(comment.id)).value();
    return bitmap_index::values_of(db_.hash_key, *state.schema, comment);
  }

  void commit(std::shared_ptr<PlainState> next, const std::vector<Comment>& changed) override {
    std::map<std::string, std::map<Ulid, Comment>> products;
    for (const auto& each : changed) products[each.product][each.id] = each;
    lmdb::WriteTransaction txn(environment_);
    word_index::IndexEdit words(words_, db_, txn);
    std::map<std::string, std::vector<bitmap_index::IdChange>> told;
    for (auto& [product, comments] : products) {
      std::vector<bitmap_index::Change> changes;
      std::vector<word_index::Change> texts;
      for (auto& [id, comment] : comments) {
        Comment before = comment;
        told[product].push_back({id, values(*state(), before), values(*next, comment)});
        auto& change = told[product].back();
        changes.push_back({id, change.after});
        if (change.before || change.after) texts.push_back({id, {}});
        if (change.after)
          texts.back().terms = terms_.of(comment.title, comment.text, comment.language);
        for (auto* side : {&change.before, &change.after}) {
          if (*side) std::for_each((*side)->begin(), (*side)->end(), [](auto& v) { v.text = {}; });
        }
      }
      auto number = static_cast<bitmap_index::Product>(products_.size() + 1);
      number = products_.try_emplace(product, Product{number}).first->second.number;
      words.apply(number, std::move(texts));
      bitmap_index::IndexEdit(db_, txn).apply(number, changes);
    }
    words.finish();
    txn.commit();
    bool redeclared = next->schema != state()->schema;
    for (auto& [product, changes] : told) {
      auto& [number, generation] = products_.find(product)->second;
      if (!redeclared) kept_.changed(db_, number, generation, generation + 1, std::move(changes));
      ++generation;
    }
    if (redeclared) kept_.drop_all();
    become(std::move(next));
  }

  TemporaryDirectory directory_;
  lmdb::Environment environment_{{.directory = directory_.path()}};
  bitmap_index::Databases db_ = index_in(environment_);
  word_index::Databases words_ = words_in(environment_);
  words::Terms terms_;
  std::map<std::string, Product, std::less<>> products_;
  bitmap_index::KeptTotals kept_{1 << 20};
};

}  // namespace quire
