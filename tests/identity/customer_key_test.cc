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
                        .ends_ms = 1'800'000'000'000,
                        .product = "42",
                        .name = "Ann"};
  for (std::size_t i = 0; i < invitation.id.size(); ++i)
    invitation.id[i] = static_cast<std::uint8_t>(0xa0 + i);
  EXPECT_EQ(Tickets(key).seal(invitation),
            "S2l2HRoGCrIXcOvea6S2BgiDDxtHoSf7GU_vME_"
            "QcWKGhBBtgTXO07qQmH44Ag8PFR32WjXVNMov3pqSfpUXERz_0OUGoWULhIUnrWRt");
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
