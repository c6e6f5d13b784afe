#include "mapping/columns/columns.h"

#include <gtest/gtest.h>

#include "mapping/columns/personal.h"
#include "mapping/columns/status_column.h"

namespace quire {
namespace {

Column column(std::string name, std::vector<std::string> values) {
  auto size = values.size();
  return {.name = std::move(name), .present = size, .values = std::move(values)};
}

TEST(Columns, AFlagHasNoOtherValues) {
  Column flags{.name = "a", .present = 2, .others = 2, .flags = 2, .values = {"true", "false"}};
  EXPECT_TRUE(flags.flag());
  EXPECT_TRUE(flags.attribute());
  ++flags.present;
  EXPECT_FALSE(flags.flag());
  EXPECT_FALSE(flags.attribute());
}

TEST(Columns, TheirNamesBecomeThoseOfAttributes) {
  EXPECT_EQ(attribute_name("verifiedPurchase", "x_"), "verified_purchase");
  EXPECT_EQ(attribute_name("Verified Purchase", "x_"), "verified_purchase");
  EXPECT_EQ(attribute_name("status", "x_"), "x_status");
  EXPECT_EQ(attribute_name("größe", "x_"), "gr____e");
  EXPECT_EQ(attribute_name("1st", "x_"), "");
}

TEST(Personal, DaysAreNoTelephoneNumbers) {
  for (const char* day : {"15/03/2025", "5/3/2025", "15.3.25", "2025-03-15", "2025/3/5"})
    EXPECT_EQ(personal_reason(column("seen", {day})), "") << day;
  for (const char* phone : {"+49 30 123456", "030-123-4567", "(030) 1234567"})
    EXPECT_NE(personal_reason(column("seen", {phone})), "") << phone;
}

TEST(Personal, NamesAndValuesTell) {
  EXPECT_EQ(personal_reason(column("clientIp", {"n/a"})), "personal: its name has \"ip\"");
  EXPECT_EQ(personal_reason(column("note", {"a", "b@mail.example"})),
            "personal: 1 of 2 values has a mail address");
  EXPECT_EQ(personal_reason(column("size", {"L", "M"})), "");
}

TEST(StatusColumns, FlagsAreReadAsWords) {
  Column hidden{
      .name = "hidden", .present = 2, .others = 2, .flags = 2, .values = {"true", "false"}};
  auto status = status_values(hidden);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->known.at("true"), "pending");
  EXPECT_EQ(status->known.at("false"), "published");
}

}  // namespace
}  // namespace quire
