// The rate limits for writes: of each client, and of all clients for one product.
#include "desk/limits.h"

#include <gtest/gtest.h>

namespace quire::desk {
namespace {

using boost::asio::ip::make_address;
constexpr std::uint64_t noon_ms = 1'700'000'000'000;

int posts(Limits& limits, const std::string& client, const std::string& product) {
  int taken = 0;
  while (taken < 10'000 && !limits.post(make_address(client), product, noon_ms)) ++taken;
  return taken;
}

TEST(Limits, OneClientTakesAtMostAQuarterOfAProduct) {
  Limits limits({1000, 100});
  EXPECT_EQ(posts(limits, "192.0.2.1", "hot"), 25);
  EXPECT_EQ(posts(limits, "192.0.2.1", "other"), 25) << "of each product";
  EXPECT_EQ(posts(limits, "192.0.2.2", "hot"), 25);
  EXPECT_EQ(posts(limits, "192.0.2.3", "hot"), 25);
  EXPECT_EQ(posts(limits, "192.0.2.4", "hot"), 25);
  EXPECT_EQ(posts(limits, "192.0.2.5", "hot"), 0) << "a hundred for all together";
}

TEST(Limits, AShareIsAtLeastThree) {
  EXPECT_EQ(Limits::share(600), 150);
  EXPECT_EQ(Limits::share(12), 3);
  EXPECT_EQ(Limits::share(1), 3);
}

TEST(Limits, AllAddressesOfAnIPv6CustomerAreOneClient) {
  Limits limits({1000, 100});
  EXPECT_EQ(posts(limits, "2001:db8:1:1::1", "hot"), 25);
  EXPECT_EQ(posts(limits, "2001:db8:1:2::1", "hot"), 0);
  EXPECT_EQ(posts(limits, "2001:db8:2:1::1", "hot"), 25);
}

TEST(Limits, RefusalsDoNotCountAsWrites) {
  Limits limits({2, 100});
  auto client = make_address("192.0.2.1");
  EXPECT_FALSE(limits.refusal(client, noon_ms));
  EXPECT_FALSE(limits.refusal(client, noon_ms));
  EXPECT_EQ(limits.refusal(client, noon_ms), 30);
  EXPECT_FALSE(limits.write(client, noon_ms));
  EXPECT_FALSE(limits.write(client, noon_ms));
  EXPECT_EQ(limits.write(client, noon_ms), 30);
}

TEST(LimitName, IsTheIPv4AddressItself) {
  EXPECT_EQ(limit_name(make_address("192.0.2.1")), "192.0.2.1");
}

TEST(LimitName, IsSharedByAnIPv6NetworkOf48Bits) {
  auto name = [](const char* text) { return limit_name(make_address(text)); };
  EXPECT_EQ(name("2001:db8:1:2::1"), name("2001:db8:1:2:ffff:ffff:ffff:ffff"));
  EXPECT_EQ(name("2001:db8:1:2::1"), name("2001:db8:1:3::1"));
  EXPECT_NE(name("2001:db8:1:2::1"), name("2001:db8:0:2::1"));
}

TEST(Limits, CountACustomerWhateverTheAddress) {
  Limits limits({2, 100});
  CustomerHash ann{{1}}, bob{{2}};
  EXPECT_FALSE(limits.customer(ann, 0));
  EXPECT_FALSE(limits.customer(ann, 0));
  EXPECT_EQ(limits.customer(ann, 0), 30u);
  EXPECT_FALSE(limits.customer(bob, 0));
}

}  // namespace
}  // namespace quire::desk
