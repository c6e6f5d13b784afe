// The items of customers follow their comments whatever fails, and `once` is exact. The service is
// in memory, and fails as a test asks.
#include <gtest/gtest.h>

#include <random>

#include "model/document.h"
#include "store/dynamodb/comments/writes.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/service.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

class CustomersTest : public testing::TestWithParam<StatisticsBy>, protected Looped {
 protected:
  // Each comment of a customer has its item, and no other item is there.
  void expect_items() {
    std::map<PlainTable::Key, std::string> wanted, found;
    for (const auto& comment : comments_in(service_.table)) {
      if (!comment.customer) continue;
      auto item = customer_comment_item(*comment.customer, comment);
      wanted[PlainTable::key_in(item)] = comment.product;
    }
    for (const auto& [key, item] : service_.table.items) {
      if (is_customer_comment(item)) found[key] = product_named(item).value();
      if (!is_customer_product(item)) continue;
      auto named = service_.table.find(comment_key(comment_named(item).value()));
      ASSERT_TRUE(named) << "a comment that is gone stands in the way";
      EXPECT_EQ(comment_of(*named)->customer, customer_in(item));
    }
    EXPECT_EQ(found, wanted);
    if (GetParam() == StatisticsBy::stream) return;
    EXPECT_EQ(beside_comments(service_.table), recount(service_.table));
  }
  static Comment written(std::uint8_t writer, std::uint64_t number, std::string product) {
    auto comment = comment_at(1000 + number, number, "en", 1 + static_cast<int>(number % 5),
                              std::move(product));
    comment.customer = CustomerHash{{writer}};
    if (number % 3 == 0) comment.moderation = held({}, "links", 4000);
    return comment;
  }
  Writes& writes() { return process_.writes; }

  PlainService service_;
  Process process_{context, service_, GetParam()};
};

TEST_P(CustomersTest, TheItemsAreInTheCommentsTransaction) {
  auto comment = written(1, 1, "42");
  CustomerTerms terms{true, Ticket{{7}, 9'000'000}, 5000};
  ASSERT_TRUE(run(writes().insert(comment, {}, terms)));
  const auto& items = service_.table.items;
  auto with_key = [&](const Item& key) { return items.count(PlainTable::key_in(key)); };
  EXPECT_EQ(with_key(customer_comment_key(*comment.customer, comment.id)), 1u);
  EXPECT_EQ(with_key(customer_product_key(*comment.customer, "42")), 1u);
  EXPECT_EQ(with_key(ticket_key(*comment.customer, {7})), 1u);
  EXPECT_EQ(service_.asked["TransactWriteItems"], 1u);
  EXPECT_EQ(service_.asked["PutItem"], 0u);
  ASSERT_TRUE(run(writes().remove(comment.id)));
  EXPECT_EQ(items.size(), 1u) << "the used ticket alone";
  EXPECT_EQ(with_key(ticket_key(*comment.customer, {7})), 1u);
}

TEST_P(CustomersTest, ARowWhoseCommentIsGoneDoesNotCount) {
  auto comment = written(1, 1, "42");
  ASSERT_TRUE(run(writes().insert(comment, {}, {.once = true})));
  service_.table.items.erase(PlainTable::key_in(comment_key(comment.id)));
  process_.totals.forget("42");
  auto second = written(1, 2, "42");
  auto done = run(writes().insert(second, {}, {.once = true}));
  ASSERT_TRUE(done) << done.error().message;
  auto refused = run(writes().insert(written(1, 4, "42"), {}, {.once = true}));
  EXPECT_EQ(refused.error().comment, second.id.text());
}

TEST_P(CustomersTest, ARepeatedPostThatWasCutOffIsSettledUnderItsTerms) {
  RequestKey key{{1}, {2}, 1'700'000'000'000};
  for (std::size_t good = 0; good < 4; ++good) {
    auto product = std::to_string(good);
    key.key[1] = static_cast<std::uint8_t>(good);
    auto comment = written(1, 10 * good + 1, product);
    for (auto what : {Fault::refused, Fault::applied}) {
      service_.fault = [what, good, seen = std::size_t{0}](const std::string& operation,
                                                           const auto&) mutable {
        bool write = operation == "TransactWriteItems" || operation == "PutItem";
        return write && seen++ >= good ? what : Fault::none;
      };
      (void)run(writes().insert(comment, key, {.once = true}));
      service_.fault = {};
    }
    auto document = run(writes().insert(written(1, 10 * good + 2, product), key, {.once = true}));
    ASSERT_TRUE(document) << document.error().message;
    auto again = run(writes().insert(written(1, 10 * good + 3, product), key, {.once = true}));
    EXPECT_EQ(again.value(), *document);
    expect_items();
  }
}

// Posts, edits and removals at once, of few customers and products, while requests fail.
TEST_P(CustomersTest, RandomWritesThatFailLeaveTheItemsRight) {
  std::mt19937 random(32);
  std::uint64_t number = 0;
  for (int round = 0; round < 60; ++round) {
    service_.fault = [&](const std::string&, const auto&) {
      switch (random() % 12) {
        case 0:
          return Fault::not_applied;
        case 1:
          return Fault::applied;
        case 2:
          return Fault::throttled;
        default:
          return Fault::none;
      }
    };
    std::vector<Awaitable<Result<std::string>>> works;
    for (int i = 0; i < 6; ++i) {
      auto there = comments_in(service_.table);
      if (!there.empty() && random() % 3 == 0) {
        works.push_back(writes().remove(there[random() % there.size()].id));
      } else {
        auto writer = static_cast<std::uint8_t>(random() % 3);
        works.push_back(writes().insert(written(writer, ++number, std::to_string(random() % 3)), {},
                                        {.once = true}));
      }
    }
    (void)run_all(std::move(works));
    service_.fault = {};
    std::set<std::pair<CustomerHash, std::string>> once;
    for (const auto& comment : comments_in(service_.table))
      EXPECT_TRUE(once.emplace(*comment.customer, comment.product).second) << "two comments";
    expect_items();
  }
  EXPECT_GT(number, 200u);
}

INSTANTIATE_TEST_SUITE_P(KeptBy, CustomersTest, each_way, name_of_way);

}  // namespace
}  // namespace quire::dynamodb
