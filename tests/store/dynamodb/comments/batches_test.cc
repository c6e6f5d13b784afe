// Many items are read in batches, also where the service answers in part.
#include "store/dynamodb/access/access.h"

#include <gtest/gtest.h>

#include <set>

#include "store/dynamodb/service.h"

namespace quire::dynamodb {
namespace {

class ManyItems : public testing::Test, protected Looped {
 protected:
  // `count` keys, of which every third item is missing.
  std::vector<Item> keys(std::size_t count) {
    std::vector<Item> keys;
    for (std::size_t i = 0; i < count; ++i) {
      keys.push_back(key_of("item " + std::to_string(i), "x"));
      if (i % 3 > 0) service_.table.items[PlainTable::key_in(keys.back())] = keys.back();
    }
    return keys;
  }

  PlainService service_;
  Process process_{context, service_};
};

TEST_F(ManyItems, EachIsReadOnceInBatchesOfAHundred) {
  for (std::size_t count : {0, 1, 99, 100, 101, 950}) {
    service_.table.items.clear();
    service_.asked.clear();
    auto found = run(get_items(process_.client, keys(count)));
    ASSERT_TRUE(found);
    EXPECT_EQ(std::set<Item>(found->items.begin(), found->items.end()).size(),
              service_.table.items.size());
    EXPECT_EQ(found->items.size(), service_.table.items.size());
    EXPECT_EQ(service_.asked["BatchGetItem"], (count + 99) / 100);
  }
}

TEST_F(ManyItems, WhatTheServiceLeavesIsAskedForAgain) {
  service_.batch = 7;
  auto found = run(get_items(process_.client, keys(200)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->items.size(), service_.table.items.size());
  EXPECT_EQ(service_.asked["BatchGetItem"], 30u);
}

TEST_F(ManyItems, AServiceThatAnswersNothingIsGivenUp) {
  service_.batch = 0;
  auto found = run(get_items(process_.client, keys(5)));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::unavailable);
  EXPECT_LE(service_.asked["BatchGetItem"], 10u);
}

TEST_F(ManyItems, AFailureIsTheAnswer) {
  service_.fault = [](auto&&...) { return Fault::refused; };
  EXPECT_FALSE(run(get_items(process_.client, keys(5))));
}

}  // namespace
}  // namespace quire::dynamodb
