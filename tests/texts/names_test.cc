// The order of names, and their beginnings.
#include "texts/names.h"

#include <gtest/gtest.h>

#include <vector>

namespace quire::texts {
namespace {

TEST(OrderKey, IsThatOfPeople) {
  const std::vector<std::string> sorted = {"",
                                           "-",
                                           "0",
                                           "1",
                                           "2",
                                           "10",
                                           "10a",
                                           "10b2",
                                           "10b10",
                                           "a",
                                           "a1",
                                           "A1",
                                           "a2x",
                                           "a10",
                                           "Ähre",
                                           "apple",
                                           "Apple",
                                           "banana",
                                           "p 1",
                                           "p 1-9",
                                           "p 1-10",
                                           "p 2",
                                           "product-2",
                                           "product-9",
                                           "product-10",
                                           "x7",
                                           "x7a",
                                           "x8",
                                           "x99999999999999999999",
                                           "x100000000000000000000",
                                           "Zebra",
                                           "zoo",
                                           "яблоко",
                                           "あ",
                                           "商品"};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j)
      EXPECT_EQ(order_key(sorted[i]) < order_key(sorted[j]), i < j)
          << sorted[i] << ", " << sorted[j];
  }
  EXPECT_EQ(order_key("x7"), order_key("x007"));
}

TEST(OrderKey, HoldsForAnyText) {
  EXPECT_GT(order_key(std::string(5000, 'b')), order_key(std::string(5000, 'a')));
  EXPECT_FALSE(order_key("\xFF\xC3").empty()) << "not UTF-8";
}

TEST(Folded, LeavesCaseAndAccentsAside) {
  EXPECT_EQ(folded("Übergröße"), folded("ubergrosse"));
  EXPECT_EQ(folded("CAFÉ"), "cafe");
  EXPECT_EQ(folded("ＬＡＭＰ"), "lamp") << "of full width";
  EXPECT_NE(folded("が"), folded("か")) << "these are other letters";
  EXPECT_NE(folded("lamp"), folded("lump"));
}

}  // namespace
}  // namespace quire::texts
