// What the address of a table says beside its name.
#include "dynamodb/address.h"

#include <gtest/gtest.h>

namespace quire::dynamodb {
namespace {

Result<Address> parsed(const std::string& parameters) {
  return parse_address("dynamodb:comments" + parameters, "eu-west-1");
}

TEST(Address, HasDefaults) {
  auto address = parsed("").value();
  EXPECT_EQ(address.statistics, StatisticsBy::write);
  EXPECT_EQ(address.leaders, 1u);
  EXPECT_EQ(address.skip_empty.count(), 0) << "empty lists are asked";
  EXPECT_EQ(address.endpoint.host, "dynamodb.eu-west-1.amazonaws.com");
}

TEST(Address, TakesEachParameter) {
  auto address = parsed("?statistics=stream&leaders=32&skip-empty=60&region=cn-north-1").value();
  EXPECT_EQ(address.statistics, StatisticsBy::stream);
  EXPECT_EQ(address.leaders, 32u);
  EXPECT_EQ(address.skip_empty.count(), 60);
  EXPECT_EQ(address.map, "") << "the table is Quire's own";
  EXPECT_EQ(parsed("?region=eu-west-1&map=/a%20b/c.toml").value().map, "/a b/c.toml");
  EXPECT_EQ(address.streams.host, "streams.dynamodb.cn-north-1.amazonaws.com.cn");
}

TEST(Address, RefusesOtherParameters) {
  for (auto wrong : {"skip-empty=61", "skip-empty=-1", "skip-empty=", "skip-empty=1s", "leaders=0",
                     "leaders=33", "statistics=no", "skip_empty=1", "map="}) {
    auto address = parsed(std::string("?") + wrong);
    ASSERT_FALSE(address) << wrong;
    EXPECT_NE(address.error().message.find("skip-empty=0 to 60"), std::string::npos);
  }
}

}  // namespace
}  // namespace quire::dynamodb
