// What is kept of customers, and the keys that are derived, are those of docs/formats/customers.md.
#include "identity/customers.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace quire::identity {
namespace {

CustomerKey::Bytes bytes_0_to_31() {
  CustomerKey::Bytes key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  return key;
}

TEST(CustomerKey, HasTheHashesOfTheFormat) {
  CustomerKey key(bytes_0_to_31());
  EXPECT_EQ(key.hash("customer-7").text(), "Y-ZIOGjHDpj7DTs4ssQ3zd5MzG8tWajREyi57qc_URk");
}

TEST(CustomerKey, DerivesTheKeysOfTheFormat) {
  CustomerKey key(bytes_0_to_31());
  EXPECT_EQ(base64url_encode(key.derive("quire tickets")),
            "LyP-HYme0ACA3BAx9s7bIZG15u-eynl1l93XyHLYFlI");
  EXPECT_EQ(base64url_encode(key.derive("quire forms")),
            "zY7sA4JHaaotvysOZA34f86_FkoaQNsV2q4KZ_G3wJ8");
}

TEST(Tickets, HaveTheBytesOfTheFormat) {
  CustomerKey key(bytes_0_to_31());
  Invitation invitation{.customer = key.hash("customer-7"),
                        .ends_ms = 20'834 * day_ms,
                        .products = {"42"},
                        .name = "Ann"};
  for (std::size_t i = 0; i < invitation.id.size(); ++i)
    invitation.id[i] = static_cast<std::uint8_t>(0xa0 + i);
  EXPECT_EQ(
      Tickets(key).seal(invitation),
      "UatsxaTHSaF6Iuuy-mCx9Kbw6S7BdTB5rojJAXXBA5z-DSi1EluKS5ZF0qVjXxS1Ec0gXB8Rt-X-71_p8ILnLbNerg");
  invitation.customer_id = "customer-7";
  invitation.products.emplace_back("43");
  EXPECT_EQ(Tickets(key).seal(invitation),
            "pz8eUB-a2kCLMwdBrdeLWadY0n0dS4QZcaF_mmZIvjyQ2NC4Mg_piVfy2eXENYTy");
  EXPECT_EQ(hex(invitation.id_for("42")), "a0a1a2a3a4a5a6a7b07ceabf61b55d9b");
}

TEST(FormSeals, HaveTheBytesOfTheFormat) {
  CustomerKey key(bytes_0_to_31());
  SealedForm form{.made_ms = 1'800'000'000'000,
                  .customer_known = true,
                  .customer = key.hash("customer-7"),
                  .verified = true,
                  .invited = true,
                  .ticket_ends_ms = 1'800'086'400'000,
                  .product = "42",
                  .name = "Ann"};
  for (std::size_t i = 0; i < form.id.size(); ++i) {
    form.id[i] = static_cast<std::uint8_t>(0xa0 + i);
    form.ticket[i] = static_cast<std::uint8_t>(0xb0 + i);
  }
  EXPECT_EQ(
      FormSeals(key).seal(form),
      "hc08e02xgC0ZaPMLbQYYtpKL7p1msjdhj9LxVMwY8QLprCXQJ5QZpkvXXAhj0juAGaiMRC76q2J10EsIexp0BBH8G8n"
      "_bLv7vMfR9R_Qx-DS_t_3rbErEMf7meJ08OrIAbIhGjk");
}

}  // namespace
}  // namespace quire::identity
