// What follows a table's stream has its published comments and no others, while comments are
// posted, held, published, rejected, edited, reported and removed.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>

#include "base/rounds.h"
#include "page_index/lmdb/index.h"
#include "projection/build.h"
#include "projection/verify.h"
#include "projection/worker.h"
#include "store/dynamodb/inspection/inspection.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/statistics/statistics.h"
#include "store/dynamodb/stream/source.h"
#include "store/support.h"
#include "table_backend.h"

namespace quire {
namespace {

class ModeratedTable : public testing::Test {
 protected:
  ~ModeratedTable() override { stop(); }

  void build() {
    for (const auto& each : table_.followed) {
      projection::Progress progress;
      projection::Building options{.segments = 2};
      ASSERT_TRUE(wait(projection::build(table_, each, make_index, options, progress)));
    }
  }
  // Workers keep both in step, until stop().
  void follow() {
    for (const auto& each : table_.followed) {
      projection::Worker::Options options{each.projection, projection::new_name()};
      options.pace.poll = Milliseconds(100);
      workers_.push_back(std::make_unique<projection::Worker>(source_, *each.target, options));
      threads_.emplace_back([&worker = *workers_.back()] { EXPECT_TRUE(wait(run(worker))); });
    }
  }
  static Awaitable<Status> run(projection::Worker& worker) {
    co_await worker.run();
    co_return Done{};
  }
  void stop() {
    for (auto& each : workers_) each->stop();
    for (auto& each : threads_) each.join();
    workers_.clear();
    threads_.clear();
  }
  projection::Verified verify(bool repair = false) {
    projection::Progress progress;
    projection::Verification options{.repair = repair, .segments = 2};
    options.between_looks = Milliseconds(300);
    return wait(projection::verify(table_, inspection_, make_index, options, progress)).value();
  }

  void wander(std::uint64_t number) {
    auto deed = random_() % 8;
    if (model_.empty() || deed < 3) {
      auto comment = comment_at(1000 + number, number, number % 3 ? "en" : "de",
                                1 + static_cast<int>(number % 5), number % 2 ? "a" : "b/c");
      if (deed) comment.moderation = held({}, "links", 4000);
      ASSERT_TRUE(wait(store_->insert(comment, {})));
      model_[comment.id] = comment.published();
      return;
    }
    auto at = std::next(model_.begin(), static_cast<long>(random_() % model_.size()));
    if (deed == 7) {
      ASSERT_TRUE(wait(store_->remove(at->first)));
      model_.erase(at);
    } else if (deed == 6) {
      auto person = static_cast<std::uint8_t>(random_());
      auto held =
          wait(store_->moderation()->report(at->first, {{person}, 5000, "spam", "Look"}, 2));
      EXPECT_EQ(held.ok(), at->second);
      if (held && *held) at->second = false;
    } else {
      auto status = static_cast<CommentStatus>(random_() % 3);
      Patch patch{.rating = 1 + static_cast<int>(random_() % 5)};
      auto moderate = [&](const Comment&, Comment& after) -> Status {
        after.moderation = {.status = status, .decided = random_() % 2 == 0};
        if (status == CommentStatus::rejected) after.moderation.reason = "fake";
        return Done{};
      };
      ASSERT_TRUE(wait(store_->update(at->first, patch, {}, moderate)));
      at->second = status == CommentStatus::published;
    }
  }
  std::vector<Ulid> published() const {
    std::vector<Ulid> out;
    for (const auto& [id, is_published] : model_)
      if (is_published) out.push_back(id);
    return out;
  }

  dynamodb::Address address_ =
      table_address(endpoint_of<LocalDynamo>(), "moderated", dynamodb::StatisticsBy::stream);
  std::unique_ptr<dynamodb::TableStore> store_ = open_table(address_);
  dynamodb::TableAccess access_{address_};
  dynamodb::TableSource source_{access_, address_};
  dynamodb::TableStatistics statistics_{access_};
  dynamodb::ItemInspection inspection_{access_};
  TemporaryDirectory directory_;
  std::unique_ptr<PageIndex> index_ =
      page_index::LmdbIndex::open(directory_.path() + "/pages", Access::write).value();
  std::size_t recounts_ = 0;
  projection::MakeIndex make_index = [this]() -> Result<std::unique_ptr<PageIndex>> {
    auto name = directory_.path() + "/recount" + std::to_string(++recounts_);
    return std::unique_ptr<PageIndex>(page_index::LmdbIndex::open(name, Access::write).value());
  };
  projection::ProjectedTable table_{
      source_,
      statistics_,
      index_.get(),
      {{"statistics", std::string(dynamodb::statistics_projection), &statistics_},
       {"page index", "pages", index_.get()}}};
  std::vector<std::unique_ptr<projection::Worker>> workers_;
  std::vector<std::thread> threads_;
  std::mt19937 random_{29};
  std::map<Ulid, bool> model_;  // whether it is published
};

TEST_F(ModeratedTable, WhatFollowsItHasThePublishedCommentsAlone) {
  std::uint64_t number = 0;
  for (; number < 100; ++number) wander(number);
  build();
  source_.show_to(inspection_);
  follow();
  for (; number < (sanitized ? 150 : 400); ++number) wander(number);
  auto verified = verify();
  EXPECT_EQ(verified.comments, published().size());
  EXPECT_EQ(verified.found.sentences, std::vector<std::string>());
  // A program that knows no status puts the keys of lists back.
  auto hidden = std::find_if(model_.begin(), model_.end(), [](auto& each) { return !each.second; });
  auto& client = access_.client;
  auto item =
      wait(access_.loop.run(client.get(dynamodb::comment_key(hidden->first))))->item.value();
  auto shown = dynamodb::comment_of(item).value();
  shown.moderation = {};
  for (const auto& [name, key] : dynamodb::list_keys(shown)) item[name] = key;
  auto put = dynamodb::put_item(client.table(), item, {}, dynamodb::Repeat::safe);
  ASSERT_FALSE(wait(access_.loop.run(client.send(std::move(put)))).failure);
  verified = verify(true);
  EXPECT_EQ(verified.comments, published().size());
  EXPECT_EQ(verified.found.differences, 1u);
  EXPECT_EQ(verified.left.differences, 0u);
  EXPECT_EQ(verify().found.differences, 0u);
}

}  // namespace
}  // namespace quire
