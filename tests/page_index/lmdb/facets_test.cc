// Any facet in a page index in LMDB: after random changes it holds what a plain map holds, and its
// bitmaps number any selection as the map does.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/rounds.h"
#include "bitmap_index/reading/matches.h"
#include "loop/loop.h"
#include "page_index/facet_view.h"
#include "page_index/lmdb/index.h"
#include "temporary_directory.h"

namespace quire::page_index {
namespace {

using change::Change;
using change::IndexedValues;
using change::Phase;

using Comments = std::map<Ulid, IndexedValues>;
using Random = std::mt19937_64;

Schema some_facets() {
  return Schema({{2, {{"verified", FacetType::flag}}},
                 {3, {{"size", FacetType::choice, {"S", "M", "L"}}}},
                 {7, {{"country", FacetType::choice}}},
                 {8, {{"tags", FacetType::tags}}},
                 {9, {{"votes", FacetType::number}}}});
}

Attributes random_attributes(Random& random) {
  Attributes out;
  if (random() % 3) out["verified"] = random() % 2 == 0;
  constexpr const char* sizes[] = {"S", "M", "L", "not listed"};
  if (random() % 3) out["size"] = std::string(sizes[random() % 4]);
  if (random() % 2) out["country"] = "country " + std::to_string(random() % 12);
  std::vector<std::string> tags;
  for (const char* tag : {"fit", "gift", "quality"}) {
    if (random() % 3 == 0) tags.emplace_back(tag);
  }
  if (!tags.empty()) out["tags"] = tags;
  if (random() % 3) out["votes"] = static_cast<std::int64_t>(random() % 2000) - 100;
  if (random() % 5 == 0) out["of another type"] = true;
  if (random() % 9 == 0) out["votes"] = std::string("many");
  return out;
}

Ulid random_id(Random& random) {
  return Ulid::make(1'700'000'000'000 + random() % 4000, {static_cast<std::uint8_t>(random() % 3)});
}

IndexedValues random_values(Random& random) {
  constexpr const char* languages[] = {"de", "en", "fr", "pt-BR"};
  return {cell(languages[random() % 4], static_cast<int>(random() % 5) + 1),
          random_attributes(random)};
}

Comment comment_of(const Ulid& id, const IndexedValues& values) {
  return {.id = id,
          .language = list_facets[language_facet].text(values.cell[language_facet]),
          .rating = static_cast<int>(values.cell[rating_facet]),
          .attributes = values.attributes};
}

class AnyFacet : public testing::Test {
 protected:
  void begin(const Schema& schema) {
    schema_ = schema;
    change::State state{Phase::following, "e", "arn"};
    state.schema = schema;
    ASSERT_TRUE(wait(index_->reset(state)));
  }

  // Changes, inserts and removes some comments.
  void wander(const std::string& product, std::size_t count) {
    std::vector<Change> changes;
    auto& comments = comments_[product];
    for (; count > 0; --count) {
      auto id = random_id(random_);
      auto known = comments.find(id);
      Change change{product, id};
      if (known != comments.end()) change.from = known->second;
      if (random_() % 4) change.to = random_values(random_);
      if (change.to)
        comments.insert_or_assign(id, *change.to);
      else
        comments.erase(id);
      changes.push_back(std::move(change));
    }
    ASSERT_TRUE(wait(index_->put(std::move(changes))));
  }

  std::vector<IndexedComment> wanted(const std::string& product) {
    std::vector<IndexedComment> out;
    for (const auto& [id, values] : comments_[product]) {
      IndexedComment indexed{id, {}};
      for (const auto& facet : schema_.facets()) {
        auto value = facet_value(facet.facet(), comment_of(id, values));
        if (value) indexed.values.emplace(facet.number, *value);
      }
      out.push_back(std::move(indexed));
    }
    return out;
  }

  std::vector<IndexedComment> found(const std::string& product, std::size_t limit = 100) {
    std::vector<IndexedComment> all;
    auto view = index_->facet_view().value();
    for (std::optional<Ulid> after;;) {
      auto some = wait(view->comments(product, after, limit)).value();
      all.insert(all.end(), some.begin(), some.end());
      if (some.size() < limit) return all;
      after = some.back().id;
    }
  }

  std::vector<std::string> flaws(const std::string& product) {
    auto view = index_->facet_view().value();
    return wait(view->flaws(product)).value();
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbIndex> index_ = LmdbIndex::open(directory_.path(), Access::write).value();
  Schema schema_ = {};
  std::map<std::string, Comments> comments_;
  Random random_{13};
};

TEST_F(AnyFacet, TheIndexHoldsWhatAMapHolds) {
  begin(some_facets());
  for (std::size_t changes : {1, 10, 500, rounds(3000), 50}) {
    for (const char* product : {"42", "a/b"}) {
      wander(product, changes);
      ASSERT_TRUE(found(product) == wanted(product)) << product;
      ASSERT_EQ(found(product, 7).size(), comments_[product].size());
    }
  }
  index_.reset();
  index_ = LmdbIndex::open(directory_.path(), Access::write).value();
  EXPECT_EQ(index_->facet_view().value()->schema(), schema_);
  EXPECT_EQ(wait(index_->state())->schema, schema_);
  EXPECT_TRUE(found("42") == wanted("42"));
}

TEST_F(AnyFacet, TheOldestCommentMayStartABlock) {
  begin(some_facets());
  bitmap_index::Databases database;
  database.hash_key = index_->facet_view().value()->bitmaps("42").value()->hash_key;
  Ulid id = random_id(random_);
  while (bitmap_index::level_of(database, id) == 0) id = id.next();
  for (const Ulid& each : {id, id.next()}) {
    IndexedValues values = random_values(random_);
    comments_["42"].insert_or_assign(each, values);
    ASSERT_TRUE(wait(index_->put({Change{.product = "42", .id = each, .to = values}})));
  }
  EXPECT_TRUE(found("42") == wanted("42"));
  EXPECT_TRUE(found("42", 1) == wanted("42"));
}

TEST_F(AnyFacet, CountsThatContradictTheCommentsAreFlaws) {
  begin(some_facets());
  wander("42", 100);
  wander("a/b", 100);
  bitmap_index::Databases database;
  database.hash_key = index_->facet_view().value()->bitmaps("42").value()->hash_key;
  Ulid id = random_id(random_);
  while (bitmap_index::level_of(database, id) == 0) id = id.next();  // so that counts are kept
  ASSERT_TRUE(wait(index_->put({Change{.product = "42", .id = id, .to = random_values(random_)}})));
  EXPECT_EQ(flaws("42"), std::vector<std::string>());
  EXPECT_EQ(flaws("a/b"), std::vector<std::string>());
  EXPECT_EQ(flaws("7"), std::vector<std::string>());
  index_.reset();
  {
    lmdb::Environment environment({.directory = directory_.path()});
    lmdb::WriteTransaction txn(environment);
    auto counts = bitmap_index::open_databases(txn.get(), 0, 0).counts;
    std::string first;  // of a language, on the first level
    {
      lmdb::Cursor cursor(txn.get(), counts);
      ASSERT_TRUE(cursor.move(MDB_FIRST));
      first = cursor.key();
    }
    txn.put(counts, first, std::string(8, '\1'));
    txn.commit();
  }
  index_ = LmdbIndex::open(directory_.path(), Access::write).value();
  auto found = flaws("42");
  ASSERT_GE(found.size(), 1u);
  EXPECT_NE(found[0].find("of facet 0 on level 1"), std::string::npos) << found[0];
  EXPECT_EQ(flaws("a/b"), std::vector<std::string>());
}

TEST_F(AnyFacet, AnIndexHoldsOnlyTheFacetsItBeganWith) {
  begin({});
  wander("42", 100);
  for (const auto& comment : found("42")) EXPECT_EQ(comment.values.size(), 2u);
  begin(some_facets());
  EXPECT_TRUE(found("42").empty());
}

Query random_query(Random& random) {
  Query query{.product = "42"};
  auto add = [&](FacetFilter filter) { query.facets.push_back(std::move(filter)); };
  if (random() % 3 == 0) query.languages = {"en", "pt-BR"};
  if (random() % 3 == 0) query.ratings = {1, static_cast<int>(random() % 3) + 3};
  if (random() % 4 == 0) add({.facet = "verified", .any_of = {random() % 2 ? "true" : "false"}});
  if (random() % 4 == 0) add({.facet = "size", .any_of = {"S", "L"}});
  if (random() % 4 == 0) add({.facet = "country", .none_of = {"country 1", "country 99"}});
  if (random() % 6 == 0) add({.facet = "country", .any_of = {"country 99"}});
  if (random() % 4 == 0) add({.facet = "tags", .all_of = {"fit", "gift"}});
  if (random() % 4 == 0) add({.facet = "tags", .none_of = {"quality"}});
  if (random() % 3 == 0) add({.facet = "votes", .min = 10, .max = 700});
  query.sort = static_cast<Sort>(random() % 4);
  query.sort_facet = random() % 2 ? "votes" : "rating";
  return query;
}

// The positions of a plain vector, in the order of the sort.
std::vector<Position> plain_listing(const Comments& comments, const Schema& schema,
                                    const Filter& filter, const Query& query) {
  std::vector<Position> out;
  bool by_time = query.sort == Sort::newest || query.sort == Sort::oldest;
  for (const auto& [id, values] : comments) {
    auto comment = comment_of(id, values);
    comment.product = "42";
    if (!filter.matches(comment)) continue;
    Position position{id};
    auto value =
        by_time ? std::nullopt : facet_value(schema.find(query.sort_facet)->facet(), comment);
    if (value) position.value = std::get<std::int64_t>(*value);
    out.push_back(position);
  }
  std::sort(out.begin(), out.end(), [&](const Position& a, const Position& b) {
    if (a.value.has_value() != b.value.has_value()) return a.value.has_value();
    if (a.value != b.value)
      return query.sort == Sort::highest ? a.value > b.value : a.value < b.value;
    return query.sort == Sort::oldest ? a.id < b.id : a.id > b.id;
  });
  return out;
}

TEST_F(AnyFacet, AnyFilterAndSortIsNumberedAsInAVector) {
  begin(some_facets());
  for (int round = 0; round < 6; ++round) {
    wander("42", round == 3 ? 4000 : 300);
    auto view = index_->facet_view().value();
    auto source = view->bitmaps("42").value().value();
    ASSERT_TRUE(source.reader);
    for (int i = 0; i < rounds(60); ++i) {
      auto query = random_query(random_);
      auto filter = make_filter(query, schema_).value();
      auto plain = plain_listing(comments_["42"], schema_, filter, query);
      bitmap_index::Question question{bitmap_index::selection_of(source.hash_key, filter),
                                      query.sort, sort_facet(query, schema_).value()};
      bitmap_index::Matches matches(*source.reader, question, {source.kept, source.generation});
      ASSERT_EQ(wait(matches.total()), plain.size());
      auto n = random_() % (plain.size() + 2);
      auto at = wait(matches.nth(n));
      ASSERT_EQ(at, n < plain.size() ? std::optional(plain[n]) : std::nullopt);
      if (!at) continue;
      ASSERT_EQ(wait(matches.rank(*at)), n);
      auto behind = wait(matches.read(*at, false, 20));
      auto first = plain.begin() + static_cast<std::ptrdiff_t>(n) + 1;
      auto last = first + std::min<std::ptrdiff_t>(20, plain.end() - first);
      ASSERT_EQ(behind, std::vector<Position>(first, last));
    }
  }
}

// Totals that a process keeps for an index answer no later state, not even after a new build that
// gives the same number to another product.
TEST_F(AnyFacet, KeptTotalsAreNeverStale) {
  Query query{.product = "42", .ratings = {4, 5}};
  query.facets.push_back({.facet = "verified", .any_of = {"true"}});
  for (int round = 0; round < 20; ++round) {
    if (round % 5 == 0) {
      begin(some_facets());
      comments_.clear();
    }
    wander("42", round % 5 == 0 ? 3000 : 3);
    auto filter = make_filter(query, schema_).value();
    auto plain = plain_listing(comments_["42"], schema_, filter, query);
    for (int again = 0; again < 2; ++again) {
      auto view = index_->facet_view().value();
      auto source = view->bitmaps("42").value().value();
      bitmap_index::Question question{bitmap_index::selection_of(source.hash_key, filter)};
      bitmap_index::Matches matches(*source.reader, question, {source.kept, source.generation});
      ASSERT_EQ(wait(matches.total()), plain.size());
      auto at = wait(matches.nth(plain.size() / 2));
      ASSERT_EQ(at, std::optional(plain[plain.size() / 2]));
    }
  }
}

}  // namespace
}  // namespace quire::page_index
