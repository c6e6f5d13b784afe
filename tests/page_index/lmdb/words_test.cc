// The words of comments in a page index in LMDB: after random changes, repeated ones and steps that
// come twice, a question finds what a scan of all texts finds, and words that went leave no byte.
#include <gtest/gtest.h>

#include <lmdb.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/rounds.h"
#include "bitmap_index/reading/asked_words.h"
#include "bitmap_index/reading/matches.h"
#include "bitmap_index/reading/selection.h"
#include "bytes.h"
#include "lmdb/cursor.h"
#include "lmdb/environment.h"
#include "loop/loop.h"
#include "page_index/facet_view.h"
#include "page_index/lmdb/format.h"
#include "page_index/lmdb/index.h"
#include "page_index/lmdb/rows.h"
#include "temporary_directory.h"
#include "word_index/databases.h"
#include "word_index/reader.h"
#include "word_index/state.h"
#include "word_index/terms.h"
#include "word_index/verify.h"
#include "words/question.h"

namespace quire::page_index {
namespace {

using change::Change;
using change::IndexedValues;
using change::Mark;
using change::Phase;
using change::Step;

// Any program may have it open meanwhile, but not this one.
struct WordRows {
  explicit WordRows(const std::string& directory)
      : environment({.directory = directory, .read_only = true}), txn(environment) {
    index = bitmap_index::open_databases(txn.get(), 0, 0);
    auto key = lmdb::open_database(txn.get(), "meta", 0);
    EXPECT_TRUE(decode_hash_key(meta_row(txn.get(), key, "hash_key"), index));
    words = word_index::open_databases(txn.get(), 0);
  }

  lmdb::Environment environment;
  lmdb::ReadTransaction txn;
  bitmap_index::Databases index;
  word_index::Databases words;
};

class IndexedComments : public testing::Test {
 protected:
  void reset(Phase phase = Phase::following) {
    change::State state{phase, "e", "arn"};
    state.schema = Schema({{2, {{"votes", FacetType::number}}}});
    ASSERT_TRUE(wait(index_->reset(state)));
    comments_.clear();
    mark_.reset();
  }

  std::string random_text() {
    static constexpr std::array<const char*, 8> texts = {
        "zippers broke", "fits", "The zipper fits well", "Größe", "réparé", "battery",
        "nach",          "l'"};
    std::string text;
    for (auto left = random_() % 4; left > 0; --left)
      text += std::string(texts[random_() % texts.size()]) + " n" + std::to_string(random_() % 40) +
              " ";
    return text;
  }
  Comment random_comment(const Ulid& id) {
    static constexpr std::array<const char*, 4> languages = {"de", "en", "fr", "und"};
    return {.id = id,
            .language = languages[random_() % 4],
            .rating = 1 + static_cast<int>(random_() % 5),
            .title = random_() % 3 ? "" : random_text(),
            .text = random_text()};
  }
  Ulid random_id() {
    return Ulid::make(1'700'000'000'000 + random_() % 3000,
                      {static_cast<std::uint8_t>(random_() % 3)});
  }

  // A comment comes, goes, has another text, or another number of votes.
  Change random_change() {
    std::string product = random_() % 3 ? "42" : "a/b";
    auto& comments = comments_[product];
    Change change{product, random_id()};
    auto known = comments.find(change.id);
    if (known != comments.end() && random_() % 2) known = comments.begin();
    bool there = known != comments.end();
    if (there) change.id = known->first;
    if (there) change.from.emplace(known->second);
    Comment comment = there ? known->second : random_comment(change.id);
    comment.attributes["votes"] = static_cast<std::int64_t>(random_() % 1000);
    auto what = there ? random_() % 4 : 3;
    if (what == 0) comment.text = random_text();
    if (what == 1) comment.rating = 1 + static_cast<int>(random_() % 5);
    bool goes = what == 2;
    if (goes) comments.erase(change.id);
    if (goes) return change;
    change.to.emplace(comment);
    comments[change.id] = std::move(comment);
    return change;
  }

  void expect_step(Step step, bool applied) {
    auto done = wait(index_->apply(std::move(step)));
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_EQ(*done, applied);
  }
  // A step, which may come twice; and its changes may come again later, until the last of them.
  void step(std::size_t changes) {
    Step step{"e", "shard", mark_, {std::to_string(++sequence_)}, {}};
    for (; changes > 0; --changes) step.changes.push_back(random_change());
    mark_ = step.after;
    ASSERT_NO_FATAL_FAILURE(expect_step(step, true));
    auto again = random_() % 3;
    if (again == 1) {
      ASSERT_NO_FATAL_FAILURE(expect_step(step, false));
    } else if (again == 2) {
      ASSERT_TRUE(wait(index_->put(step.changes)));
    }
  }

  std::vector<Ulid> found(const std::string& product, const std::string& text, Sort sort) {
    auto view = index_->facet_view().value();
    EXPECT_EQ(view->words().value(), word_index::State::ready);
    auto source = std::move(*view->bitmaps(product).value());
    if (!source.reader) return {};
    Filter filter{.product = product, .values = {}};
    filter.words = words::plain_words(text).value();
    auto stemmers = source.reader->asked(filter.words).stemmers();
    bitmap_index::Question question{bitmap_index::selection_of(source.hash_key, filter, stemmers),
                                    sort};
    bitmap_index::Matches matches(*source.reader, std::move(question),
                                  {source.kept, source.generation});
    auto positions = wait(matches.read({}, false, 10'000));
    EXPECT_EQ(wait(matches.total()), positions.size());
    std::vector<Ulid> ids;
    for (const auto& position : positions) ids.push_back(position.id);
    return ids;
  }
  std::vector<Ulid> scanned(const std::string& product, const std::string& text,
                            words::Stemmers stemmers) {
    auto question = words::question_of(words::plain_words(text).value(), stemmers);
    std::vector<Ulid> ids;
    for (const auto& [id, comment] : comments_[product])
      if (words::matches(question, word_index::terms_of(comment))) ids.push_back(id);
    return ids;
  }

  void expect_equal() {
    index_.reset();
    words::Stemmers stemmers = 0;
    {
      WordRows rows(directory_.path());
      stemmers = word_index::Reader(rows.words, rows.txn.get()).stemmers();
    }
    index_ = LmdbIndex::open(directory_.path(), Access::write).value();
    std::size_t some = 0;
    for (const char* product : {"42", "a/b"}) {
      for (const char* text : {"zipper", "ZIPPERS broke", "fits", "fit well", "grosse", "repare n7",
                               "n1", "battery n2 n3", "nobody"}) {
        auto ids = scanned(product, text, stemmers);
        ASSERT_EQ(found(product, text, Sort::oldest), ids) << product << " " << text;
        std::reverse(ids.begin(), ids.end());
        ASSERT_EQ(found(product, text, Sort::newest), ids) << product << " " << text;
        some += ids.size();
      }
    }
    found_ += some;
  }

  // Terms, runs and dead slots, as they are on disk.
  void expect_whole() {
    index_.reset();
    {
      WordRows rows(directory_.path());
      std::map<bitmap_index::Product, const std::map<Ulid, Comment>*> products;
      auto database = lmdb::open_sealed(rows.txn.get(), "index_products", 0);
      for (const auto& [name, comments] : comments_) {
        if (auto row = rows.txn.find(database, name))
          products[decode_product(*row).number] = &comments;
      }
      word_index::Verification verification(rows.words, rows.index, rows.txn.get());
      while (verification.begin_pass()) {
        for (const auto& [number, comments] : products) {
          for (const auto& [id, comment] : *comments)
            verification.expect(number, id, [&] { return word_index::terms_of(comment); });
        }
        verification.end_pass();
      }
      EXPECT_EQ(verification.reports(), std::vector<std::string>());
    }
    index_ = LmdbIndex::open(directory_.path(), Access::write).value();
  }

  bool dead_left() {
    index_.reset();
    bool left = false;
    {
      WordRows rows(directory_.path());
      word_index::Reader reader(rows.words, rows.txn.get());
      for (const auto& segment : reader.segments()) left = left || segment.dead > 0;
    }
    index_ = LmdbIndex::open(directory_.path(), Access::write).value();
    return left;
  }

  template <class Make>
  void change_words(Make make) {
    index_.reset();
    {
      lmdb::Environment environment({.directory = directory_.path()});
      lmdb::WriteTransaction txn(environment);
      make(word_index::open_databases(txn.get(), 0), txn);
      txn.commit();
    }
    index_ = LmdbIndex::open(directory_.path(), Access::write).value();
  }

  // The bytes of all pages in use.
  std::string bytes() {
    TemporaryDirectory copy;
    index_.reset();
    MDB_env* env = nullptr;
    EXPECT_EQ(mdb_env_create(&env), 0);
    EXPECT_EQ(mdb_env_open(env, directory_.path().c_str(), MDB_RDONLY, 0600), 0);
    EXPECT_EQ(mdb_env_copy2(env, copy.path().c_str(), MDB_CP_COMPACT), 0);
    mdb_env_close(env);
    index_ = LmdbIndex::open(directory_.path(), Access::write).value();
    return file_bytes(copy.path() + "/data.mdb");
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbIndex> index_ = LmdbIndex::open(directory_.path(), Access::write).value();
  std::map<std::string, std::map<Ulid, Comment>> comments_;
  std::optional<Mark> mark_;
  std::uint64_t sequence_ = 0;
  std::size_t found_ = 0;
  std::mt19937_64 random_{55};
};

TEST_F(IndexedComments, HaveTheWordsThatAScanFinds) {
  ASSERT_TRUE(wait(index_->want_words()));
  ASSERT_NO_FATAL_FAILURE(reset());
  for (std::size_t changes : {1, 10, 300, rounds(3000), 7}) {
    for (std::size_t left = changes; left > 0;) {
      auto some = std::min<std::size_t>(left, 1 + random_() % 100);
      ASSERT_NO_FATAL_FAILURE(step(some));
      left -= some;
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal());
    ASSERT_NO_FATAL_FAILURE(expect_whole());
  }
  EXPECT_GT(found_, 100u);
  EXPECT_EQ(wait(index_->state())->lacks_words, false);
}

TEST_F(IndexedComments, ThatGoLeaveNoByteOfTheirWords) {
  ASSERT_TRUE(wait(index_->want_words()));
  ASSERT_NO_FATAL_FAILURE(reset());
  Comment secret = random_comment(random_id());
  secret.text = "qxqmysecretword";
  Comment edited = random_comment(secret.id.next());
  edited.text = "zxzmyothersecret";
  IndexedValues one(secret), other(edited);
  ASSERT_TRUE(wait(index_->put({{"42", secret.id, {}, one}, {"42", edited.id, {}, other}})));
  ASSERT_NO_FATAL_FAILURE(step(rounds(600)));
  EXPECT_NE(bytes().find("mysecretword"), std::string::npos);
  EXPECT_NE(bytes().find("myothersecret"), std::string::npos);
  edited.text = "harmless";
  ASSERT_TRUE(wait(
      index_->put({{"42", secret.id, one, {}}, {"42", edited.id, other, IndexedValues(edited)}})));
  for (int steps = 0; dead_left(); ++steps) {  // a step sweeps some segments, and one without
    ASSERT_LT(steps, 100);                     // changes does, too
    ASSERT_NO_FATAL_FAILURE(step(0));
  }
  EXPECT_EQ(bytes().find("mysecretword"), std::string::npos);
  EXPECT_EQ(bytes().find("myothersecret"), std::string::npos);
}

TEST_F(IndexedComments, HaveWordsFromTheNextBuildOn) {
  ASSERT_NO_FATAL_FAILURE(reset());
  ASSERT_NO_FATAL_FAILURE(step(50));
  EXPECT_EQ(wait(index_->words())->state, word_index::State::absent);
  EXPECT_FALSE(wait(index_->state())->lacks_words);
  EXPECT_EQ(wait(index_->drop_words()).error().code, ErrorCode::not_found);
  ASSERT_TRUE(wait(index_->want_words()));
  EXPECT_EQ(wait(index_->words())->state, word_index::State::building);
  EXPECT_TRUE(wait(index_->state())->lacks_words);
  ASSERT_NO_FATAL_FAILURE(step(50));
  ASSERT_NO_FATAL_FAILURE(reset(Phase::building));
  EXPECT_EQ(wait(index_->words())->state, word_index::State::building);
  EXPECT_FALSE(wait(index_->state())->lacks_words);
  ASSERT_NO_FATAL_FAILURE(step(50));
  EXPECT_TRUE(wait(index_->change_phase("e", Phase::building, Phase::following)).value());
  EXPECT_EQ(wait(index_->words())->state, word_index::State::ready);
  ASSERT_NO_FATAL_FAILURE(expect_equal());
  auto bytes = wait(index_->words())->bytes;
  EXPECT_GT(bytes, 0u);
  ASSERT_TRUE(wait(index_->drop_words()));
  EXPECT_EQ(wait(index_->words())->state, word_index::State::absent);
  EXPECT_LT(wait(index_->words())->bytes, bytes);
  EXPECT_FALSE(wait(index_->state())->lacks_words);
  ASSERT_NO_FATAL_FAILURE(step(50));
}

// Damage of words costs the words, until the next build, and no step and no page.
TEST_F(IndexedComments, StayWhereTheirWordsAreDamaged) {
  using word_index::Databases;
  ASSERT_TRUE(wait(index_->want_words()));
  for (auto database : {&Databases::rows, &Databases::slots, &Databases::segments}) {
    ASSERT_NO_FATAL_FAILURE(reset());
    ASSERT_NO_FATAL_FAILURE(step(rounds(300)));
    change_words([&](const Databases& db, lmdb::WriteTransaction& txn) {
      auto dbi = (db.*database).dbi;
      for (const auto& key : lmdb::keys_under(txn.get(), dbi, {})) txn.put(dbi, key, "damaged");
    });
    for (int i = 0; i < 5; ++i) ASSERT_NO_FATAL_FAILURE(step(50));
    EXPECT_TRUE(wait(index_->ranks()->lengths("42", std::array<Cell, 1>{})));
    EXPECT_TRUE(wait(index_->state())->lacks_words);
  }
}

// Whatever slots the comments have.
TEST_F(IndexedComments, HaveSumsThatTellTheirWords) {
  ASSERT_TRUE(wait(index_->want_words()));
  ASSERT_NO_FATAL_FAILURE(reset());
  ASSERT_NO_FATAL_FAILURE(step(rounds(400)));
  auto sums_of = [](LmdbIndex& index, const std::map<Ulid, Comment>& comments) {
    std::vector<Ulid> ids;
    for (const auto& [id, comment] : comments) ids.push_back(id);
    auto view = index.facet_view().value();
    return wait(view->word_sums("42", ids)).value();
  };
  const auto& comments = comments_["42"];
  TemporaryDirectory directory;
  auto other = LmdbIndex::open(directory.path(), Access::write).value();
  ASSERT_TRUE(wait(other->want_words()));
  ASSERT_TRUE(wait(other->reset({Phase::following, "f", "arn"})));
  for (bool even : {true, false}) {  // so that they have other slots
    std::vector<Change> changes;
    for (const auto& [id, comment] : comments)
      if (comment.rating % 2 == even) changes.push_back({"42", id, {}, IndexedValues(comment)});
    ASSERT_TRUE(wait(other->put(std::move(changes))));
  }
  auto sums = sums_of(*other, comments);
  EXPECT_EQ(sums_of(*index_, comments), sums);
  // An edit changes the sum of its comment alone; values alone change none.
  auto at = std::next(comments.begin(), static_cast<std::ptrdiff_t>(comments.size() / 2));
  Comment edited = at->second;
  edited.text += " unheard";
  ASSERT_TRUE(wait(other->put({{"42", edited.id, {}, IndexedValues(edited)}})));
  ASSERT_TRUE(wait(other->put({{"42", comments.begin()->first, {}, cell("en", 3)}})));
  auto now = sums_of(*other, comments);
  auto& changed = sums[comments.size() / 2];
  EXPECT_NE(now[comments.size() / 2], changed);
  changed = now[comments.size() / 2];
  EXPECT_EQ(now, sums);
  // A comment that comes without its texts has no words.
  auto fresh = at->first.next();
  ASSERT_FALSE(comments.contains(fresh));
  ASSERT_TRUE(wait(other->put({{"42", fresh, {}, cell("en", 3)}})));
  auto view = other->facet_view().value();
  EXPECT_EQ(wait(view->word_sums("42", std::array{fresh})).value(), std::vector<std::uint64_t>{0});
}

// Terms of other rules go with the next change: they would be of use again, and old, once the rules
// are the former ones.
TEST_F(IndexedComments, LoseWordsOfOtherRules) {
  ASSERT_TRUE(wait(index_->want_words()));
  ASSERT_NO_FATAL_FAILURE(reset());
  ASSERT_NO_FATAL_FAILURE(step(50));
  change_words([](const word_index::Databases& db, lmdb::WriteTransaction& txn) {
    auto segments = word_index::read_contents(db, txn.get()).segments;
    ++segments.rules;
    txn.put(db.segments, word_index::segments_key, encode(segments));
  });
  EXPECT_EQ(wait(index_->words())->state, word_index::State::other_rules);
  EXPECT_TRUE(wait(index_->state())->lacks_words);
  ASSERT_NO_FATAL_FAILURE(step(50));
  EXPECT_EQ(wait(index_->words())->state, word_index::State::building);
}

}  // namespace
}  // namespace quire::page_index
