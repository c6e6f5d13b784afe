// Rows of events and revisions, byte for byte as docs/formats/store.md shows them. A change makes
// stores on disk unreadable, so it needs a new format version.
#include <gtest/gtest.h>

#include "lmdb/sealed.h"
#include "store/embedded/format/golden.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {
namespace {

const Event published{.mark = 0x000627581D4EF000,
                      .time_ms = 0x0102030405060708,
                      .type = EventType::published,
                      .fresh = true,
                      .imported = true,
                      .id = golden_id,
                      .product = "42"};

TEST(EventRow, IsTimeTypeFlagsIdAndProduct) {
  auto key = event_key(published.mark);
  EXPECT_EQ(hex(key), "000627581d4ef000");
  auto row = encode_event(published);
  EXPECT_EQ(hex(row),
            "0102030405060708"
            "01"
            "03"
            "019349727cfbd6764c61efb99302bd5b"
            "3432");
  auto read = decode_event(key, row);
  EXPECT_EQ(read.time_ms, published.time_ms);
  EXPECT_EQ(read.event, published);
  EXPECT_EQ(event_comment(row), golden_id.view());
}

TEST(EventRow, OfEachTypeIsReadAsItWasWritten) {
  for (int type = 1; type <= 9; ++type) {
    for (bool fresh : {false, true}) {
      for (bool imported : {false, true}) {
        Event event{.mark = 7,
                    .time_ms = 8,
                    .type = static_cast<EventType>(type),
                    .fresh = fresh,
                    .imported = imported};
        EXPECT_EQ(decode_event(event_key(7), encode_event(event)).event, event) << type;
      }
    }
  }
}

TEST(EventRow, OfAMarkAloneHasNoEvent) {
  auto row = encode_mark(258);
  EXPECT_EQ(hex(row), "0000000000000102" + std::string(36, '0'));
  auto read = decode_event(event_key(1), row);
  EXPECT_EQ(read.time_ms, 258u);
  EXPECT_EQ(read.event, std::nullopt);
}

TEST(EventRow, ThatIsCutShortOrOfAnotherTypeIsDamaged) {
  auto key = event_key(published.mark);
  Event without = published;
  without.product.clear();
  auto row = encode_event(without);
  for (std::size_t size = 0; size < row.size(); ++size)
    EXPECT_THROW(decode_event(key, std::string_view(row).substr(0, size)), lmdb::Damaged) << size;
  EXPECT_THROW(decode_event("key", row), lmdb::Damaged);
  row[8] = 10;
  EXPECT_THROW(decode_event(key, row), lmdb::Damaged) << "an unknown type";
  row[8] = 1;
  row[9] = 4;
  EXPECT_THROW(decode_event(key, row), lmdb::Damaged) << "an unknown flag";
}

TEST(RevisionRow, IsATimeAndAnIdOfEach) {
  std::vector<Revision> revisions{{golden_id, 0x0102030405060708}, {Ulid{}, 258}};
  auto row = encode_revisions(revisions);
  EXPECT_EQ(hex(row),
            "0102030405060708"
            "019349727cfbd6764c61efb99302bd5b"
            "0000000000000102"
            "00000000000000000000000000000000");
  EXPECT_EQ(decode_revisions(row), revisions);
  for (std::size_t size : {0, 1, 23, 25, 47})
    EXPECT_EQ(decode_revisions(std::string_view(row).substr(0, size)), std::nullopt) << size;
}

}  // namespace
}  // namespace quire::embedded
