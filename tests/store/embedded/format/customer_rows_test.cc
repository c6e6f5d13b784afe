// Rows of customers, byte for byte as docs/formats/store.md shows them. A change makes stores on
// disk unreadable, so it needs a new format version.
#include "store/embedded/format/rows.h"

#include <gtest/gtest.h>

#include "store/embedded/format/golden.h"

namespace quire::embedded {
namespace {

const CustomerHash golden_customer =
    CustomerHash::parse("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8").value();
constexpr const char* customer_hex =
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

TEST(CustomerRow, IsTheCustomerAZeroAndTheId) {
  EXPECT_EQ(hex(customer_key(golden_customer, "", golden_id)),
            customer_hex + ("00" + hex(golden_id.view())));
}

TEST(CustomerRow, OfAProductHasTheProductBeforeTheZero) {
  EXPECT_EQ(hex(customer_key(golden_customer, "42", golden_id)),
            customer_hex + ("343200" + hex(golden_id.view())));
}

TEST(TicketRow, IsEndAndComment) {
  TicketId ticket{0xAA};
  auto key = ticket_key(golden_customer, ticket);
  EXPECT_EQ(hex(key), customer_hex + std::string("aa000000000000000000000000000000"));
  auto row = encode_ticket({0x0102030405060708, golden_id});
  EXPECT_EQ(hex(row), "0102030405060708" + hex(golden_id.view()));
  EXPECT_EQ(hex(by_time_key(0x0102030405060708, key)), "0102030405060708" + hex(key));
  auto read = decode_ticket(row);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->ends_ms, 0x0102030405060708u);
  EXPECT_EQ(read->id, golden_id);
  for (std::size_t size = 0; size < row.size(); ++size)
    EXPECT_FALSE(decode_ticket(std::string_view(row).substr(0, size))) << size;
}

}  // namespace
}  // namespace quire::embedded
