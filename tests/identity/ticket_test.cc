// A ticket opens as it was sealed; a changed one does not.
#include "identity/customers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

namespace quire::identity {
namespace {

const CustomerKey key(CustomerKey::Bytes{7});

Invitation any_invitation(std::mt19937& random) {
  std::string id(1 + random() % 128, 'c');
  Invitation invitation{.customer = key.hash(id), .ends_ms = random() % 0x10000 * day_ms};
  if (id.size() < CustomerHash::size) invitation.customer_id = id;
  std::size_t bytes = 500;
  for (auto count = 1 + random() % 20; count > 0; --count) {
    auto size = 1 + random() % std::min<std::size_t>(256, bytes - count + 1);
    invitation.products.emplace_back(size, 'p');
    bytes -= size;
  }
  for (auto& byte : invitation.id) byte = static_cast<std::uint8_t>(random());
  for (auto count = random() % 101; count > 0; --count) invitation.name += "\xF0\x9F\x8D\x80";
  return invitation;
}

TEST(Tickets, OpenAsTheyWereSealed) {
  std::mt19937 random(5);
  Tickets tickets(key);
  for (int i = 0; i < 1000; ++i) {
    auto invitation = any_invitation(random);
    auto text = tickets.seal(invitation);
    ASSERT_LE(text.size(), Tickets::max_characters);
    ASSERT_EQ(tickets.open(text), invitation);
  }
}

TEST(Tickets, NoTamperedOneOpens) {
  std::mt19937 random(6);
  Tickets tickets(key);
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (int i = 0; i < 10'000; ++i) {
    auto text = tickets.seal(any_invitation(random));
    auto changed = text;
    switch (random() % 5) {
      case 0:
        changed[random() % text.size()] = letters[random() % 64];
        break;
      case 1:
        changed.resize(random() % text.size());
        break;
      case 2:
        changed.insert(random() % text.size(), 4, letters[random() % 64]);
        break;
      case 3:
        std::swap(changed[random() % text.size()], changed[random() % text.size()]);
        break;
      case 4: {  // the tag of another
        auto other = tickets.seal(any_invitation(random));
        changed.replace(0, 20, other, 0, 20);
      }
    }
    if (changed != text) {
      ASSERT_FALSE(tickets.open(changed)) << changed;
    }
  }
}

TEST(Tickets, AreShortForShortIds) {
  Invitation invitation{.customer = key.hash("1077"),
                        .ends_ms = 20'000 * day_ms,
                        .products = {"sku-1048", "sku-2039", "sku7"},
                        .customer_id = "1077"};
  EXPECT_LE(std::string("/review?ticket=").size() + Tickets(key).seal(invitation).size(), 90U);
}

TEST(Tickets, HaveAnIdForEachProduct) {
  Invitation one{.id = {1}, .products = {"a", "b"}}, other{.id = {2}, .products = {"a"}};
  std::set<TicketId> ids = {one.id_for("a"), one.id_for("b"), other.id_for("a")};
  EXPECT_EQ(ids.size(), 3U);
  EXPECT_EQ(one.id_for("a"), one.id_for("a"));
}

TEST(Tickets, OfAnotherKeyDoNotOpen) {
  std::mt19937 random(7);
  auto text = Tickets(key).seal(any_invitation(random));
  EXPECT_FALSE(Tickets(CustomerKey(CustomerKey::Bytes{8})).open(text));
}

TEST(Tickets, OtherTextsAreNone) {
  Tickets tickets(key);
  for (const auto& text : {std::string(), std::string("x"), std::string(60, 'A'),
                           std::string(1400, 'A'), std::string(5000, 'A'), std::string("a b")})
    EXPECT_FALSE(tickets.open(text)) << text;
}

}  // namespace
}  // namespace quire::identity
