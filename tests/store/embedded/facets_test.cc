// Facets are declared, built and dropped while comments are written; and after each of it the index
// is what verify expects, and answers as a plain vector does.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <thread>

#include "base/rounds.h"
#include "bitmap_index/reading/matches.h"
#include "loop/loop.h"
#include "model/document.h"
#include "process.h"
#include "store/embedded/edit.h"
#include "store/embedded/facets.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/backup.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"
#include "store/views.h"

namespace quire::embedded {
namespace {

using State = FacetStatus::State;

const Facet verified{"verified", FacetType::flag};
const Facet size{"size", FacetType::choice, {"S", "M", "L"}};
const Facet tags{"tags", FacetType::tags};
const Facet votes{"votes", FacetType::number};
const std::vector<Facet> four = {verified, size, tags, votes};

class Facets : public testing::Test {
 protected:
  void open() { store_ = LmdbStore::open(directory_.path(), Access::write).value(); }
  void SetUp() override { open(); }

  Comment random_comment(std::uint64_t number) {
    Comment comment = comment_at(1000 + below(50'000), number, below(3) ? "en" : "pt-BR",
                                 static_cast<int>(below(5)) + 1, "p" + std::to_string(below(3)));
    change_attributes(comment);
    return comment;
  }
  void change_attributes(Comment& comment) {
    comment.attributes.clear();
    if (below(2)) comment.attributes["verified"] = below(2) == 0;
    if (below(2)) comment.attributes["size"] = std::string(1, "SMLX"[below(4)]);
    if (below(2)) comment.attributes["tags"] = std::vector<std::string>{"a", "b", "c"};
    if (below(2)) comment.attributes["votes"] = static_cast<std::int64_t>(below(5000)) - 50;
    if (below(9) == 0) comment.attributes["votes"] = "many";  // fits no number
  }
  void fill(std::size_t comments) {
    std::vector<Comment> batch;
    for (std::uint64_t i = 0; i < comments; ++i) batch.push_back(random_comment(made_++));
    for (const auto& comment : batch) model_[comment.id] = comment;
    ASSERT_TRUE(wait(store_->insert_many(batch)));
  }
  void write_something() {
    if (below(3) == 0 || model_.empty()) {
      Comment comment = random_comment(made_++);
      ASSERT_TRUE(wait(store_->insert(comment, {})));
      model_[comment.id] = comment;
      return;
    }
    auto at = model_.lower_bound(id_at(1000 + below(50'000), 0));
    if (at == model_.end()) at = model_.begin();
    if (below(4) == 0) {
      ASSERT_TRUE(wait(store_->remove(at->first)));
      model_.erase(at);
      return;
    }
    Comment changed = at->second;
    change_attributes(changed);
    Patch patch{.rating = changed.rating = static_cast<int>(below(5)) + 1};
    for (const auto& facet : four) patch.attributes[facet.name] = {};
    for (const auto& [name, value] : changed.attributes) patch.attributes[name] = value;
    ASSERT_TRUE(wait(store_->update(at->first, patch)));
    at->second = changed;
  }

  std::optional<State> state(const std::string& name) {
    auto schema = wait(store_->view()->schema()).value();
    auto* facet = schema->find(name);
    return facet ? std::optional(facet->status.state) : std::nullopt;
  }
  void wait_for(const std::string& name, std::optional<State> wanted) {
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (state(name) != wanted && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    ASSERT_EQ(state(name), wanted);
  }
  void expect_whole() {
    auto found = verify(store_->databases());
    EXPECT_EQ(found.differences, 0u) << found.reports.front();
    EXPECT_EQ(found.comments, model_.size());
  }

  // The ids of a product with a value of a facet, from the index.
  std::vector<Ulid> indexed(const std::string& product, const Clause& clause) {
    auto view = store_->view();
    auto source = bitmaps_of(*view, product).value().value();
    if (!source.reader) return {};
    Filter filter{.product = product, .clauses = {clause}};
    bitmap_index::Question question{bitmap_index::selection_of(source.hash_key, filter),
                                    Sort::oldest};
    bitmap_index::Matches matches(*source.reader, question, {source.kept, source.generation});
    std::vector<Ulid> out;
    for (const auto& position : wait(matches.read({}, false, 1'000'000)))
      out.push_back(position.id);
    return out;
  }
  void expect_answers() {
    auto schema = wait(store_->view()->schema()).value();
    for (const auto& facet : schema->facets()) {
      if (facet.number < first_declared_number || facet.status.state != State::ready) continue;
      Clause clause{facet.number, facet.facet().type, facet.facet().name};
      for (const char* text : {"true", "S", "L", "a", "nothing"}) {
        if (clause.type == FacetType::number)
          clause.min = 40, clause.max = 2000;
        else if ((clause.type == FacetType::flag) == (text == std::string_view("true")))
          clause.any_of = {text};
        else
          continue;
        for (const char* product : {"p0", "p1", "p2"}) {
          std::vector<Ulid> wanted;
          for (const auto& [id, comment] : model_) {
            if (comment.product == product && clause.matches(facet_value(facet.facet(), comment)))
              wanted.push_back(id);
          }
          EXPECT_EQ(indexed(product, clause), wanted) << clause.name << " " << text;
        }
      }
    }
  }

  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
  std::map<Ulid, Comment> model_;
  std::mt19937_64 random_{20261122};
  std::uint64_t made_ = 0;
};

TEST_F(Facets, OfAnEmptyStoreAreReadyAtOnce) {
  EXPECT_EQ(wait(store_->view()->schema()).value()->facets().size(), 2u);
  for (const auto& facet : four) {
    ASSERT_TRUE(wait(store_->facets()->declare(facet)));
    EXPECT_EQ(state(facet.name), State::ready);
  }
  auto schema = wait(store_->view()->schema()).value();
  ASSERT_EQ(schema->facets().size(), 6u);
  EXPECT_EQ(schema->find("size")->facet().values, size.values);
  EXPECT_EQ(schema->find("votes")->number, 5);
  for (int i = 0; i < 200; ++i) write_something();
  expect_whole();
  expect_answers();
}

TEST_F(Facets, AreRefusedWhereTheyCannotBeDeclared) {
  auto refused = [&](const Facet& facet) {
    return wait(store_->facets()->declare(facet)).error().code;
  };
  EXPECT_EQ(refused({"rating", FacetType::number}), ErrorCode::invalid_parameter);
  EXPECT_EQ(refused({"Size", FacetType::choice}), ErrorCode::invalid_parameter);
  ASSERT_TRUE(wait(store_->facets()->declare(size)));
  ASSERT_TRUE(wait(store_->facets()->declare(size)))
      << "a command that was stopped declares it again";
  EXPECT_EQ(refused({"size", FacetType::tags}), ErrorCode::invalid_parameter);
  EXPECT_EQ(refused({"size", FacetType::choice, {"S"}}), ErrorCode::invalid_parameter);
  EXPECT_EQ(wait(store_->facets()->drop("votes")).error().code, ErrorCode::not_found);
  EXPECT_EQ(wait(store_->facets()->drop("rating")).error().code, ErrorCode::not_found);
  EXPECT_EQ(wait(store_->view()->schema()).value()->facets().size(), 3u);
}

TEST_F(Facets, AreBuiltFromTheCommentsThatAreThere) {
  fill(5000);
  for (const auto& facet : four) ASSERT_TRUE(wait(store_->facets()->declare(facet)));
  for (const auto& facet : four) wait_for(facet.name, State::ready);
  expect_whole();
  expect_answers();
}

// Writes meet every moment of building and dropping.
TEST_F(Facets, AreWholeWhateverIsWrittenMeanwhile) {
  fill(6000);
  for (int round = 0; round < rounds(2); ++round) {
    for (const auto& facet : four) ASSERT_TRUE(wait(store_->facets()->declare(facet)));
    int during = 0;
    while (state("votes") != State::ready || during < 200) {
      write_something();
      ++during;
      if (during % 50 == 0) expect_answers();
    }
    expect_whole();
    expect_answers();
    for (const char* name : {"size", "votes"}) ASSERT_TRUE(wait(store_->facets()->drop(name)));
    EXPECT_NE(state("size"), State::ready);
    while (state("size") || state("votes")) write_something();
    expect_whole();
    expect_answers();
    for (const char* name : {"verified", "tags"}) {
      ASSERT_TRUE(wait(store_->facets()->drop(name)));
      wait_for(name, std::nullopt);
    }
    expect_whole();
  }
  EXPECT_EQ(wait(store_->view()->schema()).value()->facets().size(), 2u);
}

TEST_F(Facets, ProgressGrowsUntilItIsReady) {
  fill(sanitized ? 8'000 : 20'000);
  ASSERT_TRUE(wait(store_->facets()->declare(tags)));
  double last = 0;
  for (bool ready = false; !ready;) {
    auto status = wait(store_->view()->schema()).value()->find("tags")->status;
    ready = status.state == State::ready;
    EXPECT_GE(status.progress, last);
    EXPECT_EQ(status.progress == 1, ready);
    last = status.progress;
  }
}

// Closing the store stops building anywhere; opening it goes on.
TEST_F(Facets, BuildingGoesOnWhereItStopped) {
  fill(sanitized ? 8'000 : 20'000);
  store_.reset();
  for (const auto& facet : four) ASSERT_TRUE(declare_beside(directory_.path(), facet));
  std::vector<double> parts;
  for (bool ready = false; !ready && parts.size() < 1000;) {
    open();
    store_.reset();
    open();
    write_something();
    auto status = wait(store_->view()->schema()).value()->find("votes")->status;
    ready = status.state == State::ready;
    parts.push_back(status.progress);
    store_.reset();
  }
  open();
  EXPECT_GT(parts.size(), 1u);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  wait_for("votes", State::ready);
  expect_whole();
  expect_answers();
}

// The texts of values are those of comments, which do not live as long.
TEST_F(Facets, ChangesOfTheIndexAreToldWithoutTexts) {
  lmdb::WriteTransaction txn(*store_->databases().environment);
  Edit edit(store_->databases(), txn);
  ASSERT_TRUE(edit.insert(comment_at(1000, 1, "en", 5), {}, {}));
  auto told = edit.finish();
  ASSERT_EQ(told.size(), 1u);
  const auto& values = told[0].ids.value().at(0).after.value();
  EXPECT_EQ(values.size(), 2u);
  for (const auto& value : values) EXPECT_EQ(value.text, "");
}

// A process of its own declares beside this one, which notices and builds.
TEST_F(Facets, AreDeclaredAndDroppedBesideTheWriter) {
  fill(2000);
  auto beside = [&](auto change) {
    return Process([&] { return change() ? 0 : 1; }).exit_status() == 0;
  };
  EXPECT_TRUE(beside([&] { return declare_beside(directory_.path(), votes).ok(); }));
  EXPECT_FALSE(beside([&] {
    return declare_beside(directory_.path(), {"votes", FacetType::tags}).ok();
  }));
  wait_for("votes", State::ready);
  write_something();
  expect_whole();
  expect_answers();
  EXPECT_TRUE(beside([&] { return drop_beside(directory_.path(), "votes").ok(); }));
  wait_for("votes", std::nullopt);
  EXPECT_FALSE(beside([&] { return drop_beside(directory_.path(), "votes").ok(); }));
  expect_whole();
  TemporaryDirectory empty;
  EXPECT_NE(declare_beside(empty.path(), votes).error().message.find("There is no store"),
            std::string::npos);
}

TEST_F(Facets, OfACopyAreThoseOfTheStore) {
  fill(3000);
  for (const auto& facet : four) ASSERT_TRUE(wait(store_->facets()->declare(facet)));
  TemporaryDirectory elsewhere;
  auto copy = elsewhere.path() + "/copy";
  ASSERT_TRUE(backup(store_->databases(), directory_.path(), copy));
  store_ = LmdbStore::open(copy, Access::write).value();
  for (const auto& facet : four) wait_for(facet.name, State::ready);
  expect_whole();
  expect_answers();
}

TEST_F(Facets, ARepairBuildsThemAll) {
  fill(3000);
  for (const auto& facet : four) ASSERT_TRUE(wait(store_->facets()->declare(facet)));
  ASSERT_TRUE(wait(store_->facets()->drop("tags")));
  ASSERT_TRUE(wait(store_->rebuild()));
  for (const auto& facet : four)
    EXPECT_EQ(state(facet.name), facet.name == "tags" ? std::nullopt : std::optional(State::ready));
  expect_whole();
  expect_answers();
}

// What changes in one group is in the index once, as it is at the end of the group.
TEST_F(Facets, AGroupOfWritesLeavesTheIndexAsItsLastWriteDoes) {
  for (const auto& facet : four) ASSERT_TRUE(wait(store_->facets()->declare(facet)));
  fill(100);
  std::vector<std::thread> writers;
  auto ids = model_;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&, i] {
      for (const auto& [id, comment] : ids) {
        Patch patch{.rating = i % 5 + 1};
        patch.attributes["votes"] = std::int64_t{i};
        if (i == 7 && comment.rating == 5)
          (void)wait(store_->remove(id));
        else
          (void)wait(store_->update(id, patch));
      }
    });
  }
  for (auto& writer : writers) writer.join();
  auto found = verify(store_->databases());
  EXPECT_EQ(found.differences, 0u) << found.reports.front();
}

}  // namespace
}  // namespace quire::embedded
