#include "webhook/courier/ledger.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "temporary_directory.h"
#include "webhook/courier/asks.h"

namespace quire::webhook {
namespace {

Ledger some() {
  Event event{.mark = 1'732'104'060'123'000,
              .time_ms = 1'732'104'060'123,
              .type = "comment.published",
              .id = Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D2EF"),
              .product = "a\"b",
              .is_new = true};
  Event erased{
      .mark = 1'732'104'060'123'001, .time_ms = 1, .type = "customer.erased", .imported = true};
  Ledger out;
  out["copy"] = {.url = url_print("https://shop.example/quire"),
                 .mark = 1'732'104'060'123'002,
                 .failing_ms = 7,
                 .trouble = "it answered 500"};
  out["copy"].owed[event.mark] = {event, 2, 5, 9};
  out["copy"].owed[erased.mark] = {erased, 0, 0, 6};
  out["ended"] = {.url = url_print("https://a.example/"), .mark = 3, .ended_ms = 8};
  return out;
}

TEST(Ledger, HasTheBytesThatTheFormatSays) {
  EXPECT_EQ(encode_ledger(some()),
            R"(quire-webhooks 1
{"webhook":"copy","url":"ec64868b0f75765d","mark":1732104060123002,"ended":0,"failing":7,"trouble":"it answered 500"}
{"owed":1732104060123000,"time":1732104060123,"type":"comment.published","id":"01JD5ZK3V8Q6W3N0A9B7C5D2EF","product":"a\"b","new":true,"imported":false,"tries":2,"first":5,"next":9}
{"owed":1732104060123001,"time":1,"type":"customer.erased","new":false,"imported":true,"tries":0,"first":0,"next":6}
{"webhook":"ended","url":"befde498a45b6c82","mark":3,"ended":8,"failing":0,"trouble":""}
238b24d8327681d5cff558b8bc49d7639deb089c09b517f3416d95e78bdfc08f
)");
}

TEST(Ledger, IsReadAsItWasWritten) {
  EXPECT_EQ(*decode_ledger(encode_ledger(some())), some());
  EXPECT_EQ(*decode_ledger(encode_ledger({})), Ledger());
}

TEST(Ledger, EachOtherByteIsDamage) {
  const auto whole = encode_ledger(some());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto text = whole;
    text[i] ^= 1;
    auto read = decode_ledger(text);
    ASSERT_FALSE(read) << i;
    EXPECT_EQ(read.error().code, ErrorCode::damaged);
    EXPECT_FALSE(decode_ledger(whole.substr(0, i)));
  }
}

TEST(Ledger, IsEmptyWithoutAFile) {
  TemporaryDirectory directory;
  auto file = ledger_file(directory.path());
  EXPECT_EQ(*read_ledger(file), Ledger());
  ASSERT_TRUE(write_ledger(file, some()));
  EXPECT_EQ(*read_ledger(file), some());
  ASSERT_TRUE(write_ledger(file, {}));
  EXPECT_EQ(*read_ledger(file), Ledger());
  std::filesystem::remove_all(directory.path());
  EXPECT_EQ(write_ledger(file, some()).error().code, ErrorCode::unavailable);
}

TEST(Asks, AreReadInTheirOrderAndOnce) {
  TemporaryDirectory directory;
  auto file = asks_file(directory.path());
  EXPECT_FALSE(LeftAsks::open(file));
  std::vector<Ask> asks{{Ask::Deed::retry, "copy", {}},
                        {Ask::Deed::skip, "copy", "evt_7"},
                        {Ask::Deed::retry, "bad", "evt_8"}};
  for (const auto& ask : asks) ASSERT_TRUE(leave_ask(file, ask));
  {
    auto left = LeftAsks::open(file);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->asks(), asks);
  }
  auto again = LeftAsks::open(file);
  ASSERT_TRUE(again) << "they were not obeyed";
  again->clear();
  again.reset();
  EXPECT_FALSE(LeftAsks::open(file));
}

TEST(Asks, OtherLinesArePassedOver) {
  TemporaryDirectory directory;
  auto file = asks_file(directory.path());
  std::ofstream(file) << "retry\nskip copy\nremove copy\nretry a b c\n\nretry a\n";
  auto left = LeftAsks::open(file);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->asks(), (std::vector<Ask>{{Ask::Deed::retry, "a", {}}}));
}

}  // namespace
}  // namespace quire::webhook
