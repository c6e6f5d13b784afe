// Rows of decisions and reports, byte for byte as docs/formats/store.md shows them. A change makes
// stores on disk unreadable, so it needs a new format version.
#include "store/embedded/format/rows.h"

#include <gtest/gtest.h>

#include "lmdb/sealed.h"
#include "store/embedded/format/golden.h"

namespace quire::embedded {
namespace {

TEST(ModerationRow, IsTheMembersThatAPublishedCommentKeeps) {
  EXPECT_EQ(encode_moderation({}), "");
  Moderation moderation{.note = "asked", .decided = true};
  EXPECT_EQ(encode_moderation(moderation), R"({"note":"asked","decided":true})");
  EXPECT_EQ(decode_moderation(encode_moderation(moderation)), moderation);
  for (std::string_view damaged : {"", "{", "[]", R"({"decided":1})"}) {
    EXPECT_FALSE(is_moderation(damaged)) << damaged;
    EXPECT_THROW(decode_moderation(damaged), lmdb::Damaged) << damaged;
  }
}

TEST(ReportRow, IsTwoTimesSizesAndTexts) {
  Report report{{0xAA}, 0x0102030405060708, "spam", "an advertisement"};
  report.contact = {std::string(300, 'A'), "ann@example.com", 0x1112131415161718};
  auto key = report_key(golden_id, report.person);
  EXPECT_EQ(hex(key),
            "019349727cfbd6764c61efb99302bd5b"
            "aa000000000000000000000000000000");
  auto row = encode_report(report);
  EXPECT_EQ(hex(row),
            "01020304050607081112131415161718"
            "04"
            "012c"
            "0f" +
                hex("spam") + hex(report.contact.name) + hex("ann@example.com") +
                hex("an advertisement"));
  auto read = decode_report(key, row);
  EXPECT_EQ(read.person, report.person);
  EXPECT_EQ(read.at_ms, report.at_ms);
  EXPECT_EQ(read.reason + "|" + read.note, "spam|an advertisement");
  EXPECT_EQ(read.contact, report.contact);
}

TEST(ReportRow, ThatIsCutShortIsDamaged) {
  auto key = report_key(golden_id, {});
  auto row = encode_report({{}, 1, "spam", "", false, {"Ann", "ann@example.com", 2}});
  EXPECT_TRUE(is_report(key, row));
  for (std::size_t size = 0; size < row.size(); ++size) {
    EXPECT_FALSE(is_report(key, std::string_view(row).substr(0, size))) << size;
    EXPECT_THROW(decode_report(key, std::string_view(row).substr(0, size)), lmdb::Damaged) << size;
  }
  EXPECT_FALSE(is_report(std::string_view(key).substr(0, 31), row));
}

}  // namespace
}  // namespace quire::embedded
