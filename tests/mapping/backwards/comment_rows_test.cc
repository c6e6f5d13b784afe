// Comments as rows of the files of other systems, and as an import reads these again.
#include "mapping/backwards/comment_rows.h"

#include <gtest/gtest.h>

#include <random>

#include "mapping/conversions.h"
#include "mapping/presets/presets.h"
#include "model/moderation.h"

namespace quire {
namespace {

CommentRows rows_of(const std::string& preset) {
  return CommentRows::of(mapping_in(std::string(find_preset(preset)->text))).value();
}

Comment plain() {
  return {.id = Ulid::make(1'732'104'060'000, {1}),
          .product = "desk-lamp",
          .rating = 4,
          .author = "Ann",
          .title = "Fits",
          .text = "Well made,\nand \"light\""};
}

std::string cell(const CommentRows& rows, const std::vector<std::string>& cells,
                 const std::string& column) {
  auto found = std::find(rows.columns().begin(), rows.columns().end(), column);
  return cells.at(static_cast<std::size_t>(found - rows.columns().begin()));
}

TEST(CommentRows, HaveTheColumnsOfTheSystem) {
  auto rows = rows_of("judgeme");
  auto comment = plain();
  comment.reply = Reply{.text = "Thank you", .created_ms = 1'732'190'460'000};
  comment.media = {{.url = "https://img.example/1.jpg"}, {.url = "https://img.example/2.jpg"}};
  auto cells = rows.row_of(comment).value();
  EXPECT_EQ(
      csv_line(rows.columns()),
      "title,body,rating,review_date,source,curated,reviewer_name,reviewer_email,product_id,"
      "product_handle,reply,reply_date,picture_urls,ip_address,location,metaobject_handle\r\n");
  EXPECT_EQ(csv_line(cells),
            "Fits,\"Well made,\nand \"\"light\"\"\",4,2024-11-20 12:01:00 UTC,,ok,Ann,,,desk-lamp,"
            "Thank you,2024-11-21 12:01:00 UTC,"
            "\"https://img.example/1.jpg, https://img.example/2.jpg\",,," +
                comment.id.text() + "\r\n");
  EXPECT_EQ(rows.lost(), (Remarks{{"ids", 1}}));
}

TEST(CommentRows, GoBackWithTheIdsThatTheyHadThere) {
  auto rows = rows_of("judgeme");
  auto comment = plain();
  comment.id = id_of(comment.created_ms(), hash_of("judgeme", "abc"));
  comment.attributes["source_id"] = std::string("abc");
  EXPECT_EQ(cell(rows, rows.row_of(comment).value(), "metaobject_handle"), "abc");
  EXPECT_EQ(rows.lost(), Remarks());
}

TEST(CommentRows, HaveAWordForTheStatus) {
  auto of = [](const std::string& preset, CommentStatus status, const std::string& reason) {
    auto rows = rows_of(preset);
    auto comment = plain();
    comment.moderation = {.status = status, .reason = reason};
    auto cells = rows.row_of(comment);
    const auto* column = preset == "judgeme"   ? "curated"
                         : preset == "shopify" ? "state"
                                               : "comment_approved";
    return cells ? cell(rows, *cells, column) : "left out";
  };
  EXPECT_EQ(of("judgeme", CommentStatus::pending, ""), "pending");
  EXPECT_EQ(of("judgeme", CommentStatus::rejected, "fake"), "spam");
  EXPECT_EQ(of("shopify", CommentStatus::rejected, "spam"), "spam");
  EXPECT_EQ(of("shopify", CommentStatus::rejected, "fake"), "unpublished");
  EXPECT_EQ(of("woocommerce", CommentStatus::published, ""), "1");
  EXPECT_EQ(of("woocommerce", CommentStatus::pending, ""), "0");
  auto rows = rows_of("okendo");
  auto comment = plain();
  comment.moderation.status = CommentStatus::pending;
  EXPECT_FALSE(rows.row_of(comment)) << "its file has no status";
  EXPECT_EQ(rows.lost(), (Remarks{{"comments that are pending", 1}}));
}

TEST(CommentRows, AreNoFormulas) {
  for (const auto* text : {"=1+2", "+1", "-1", "@a"}) {
    auto rows = rows_of("shopify");
    auto comment = plain();
    comment.text = text;
    EXPECT_EQ(cell(rows, rows.row_of(comment).value(), "body"), "'" + std::string(text));
    EXPECT_EQ(rows.lost().at("values that begin with =, +, - or @, which have a ' before them"),
              1U);
    EXPECT_EQ(rows.lost().at("texts"), 1U);
  }
}

TEST(CommentRows, NeedAnExportSection) {
  auto without = CommentRows::of(mapping_in(std::string(find_preset("yotpo")->text)));
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().parameter, "map");
  auto lacks = CommentRows::of(mapping_in(comment_section("[export]\ncolumns = [\"p\", \"r\"]\n")));
  ASSERT_FALSE(lacks);
  EXPECT_NE(lacks.error().message.find("product, rating and created_at"), std::string::npos);
}

TEST(CommentRows, OfAMappingOfOnesOwnGoToItsFirstColumnsAndPatterns) {
  auto rows =
      CommentRows::of(
          mapping_in("[comment]\nproduct = { column = [\"a\", \"p\"], pattern = [\"x-{product}\", "
                     "\"{product}\"] }\n"
                     "rating.column = \"r\"\ncreated_at = { column = \"d\" }\n[attributes]\n"
                     "size.column = \"s\"\nverified = { column = \"v\", type = \"flag\" }\n"
                     "[export]\ncolumns = [\"p\", \"r\", \"d\", \"s\", \"v\"]\n"))
          .value();
  auto comment = plain();
  comment.author = comment.title = comment.text = "";
  comment.attributes = {{"size", std::string("L")}, {"verified", true}};
  EXPECT_EQ(rows.row_of(comment).value(),
            (std::vector<std::string>{"desk-lamp", "4", "2024-11-20T12:01:00.000Z", "L", "true"}));
  comment.product = "x-1";
  EXPECT_EQ(rows.row_of(comment).value().front(), "x-x-1");
  EXPECT_EQ(rows.lost(), (Remarks{{"ids", 2}}));
}

// Whatever the comment says: the row reads as the comment, or what differs is told.
TEST(CommentRows, ReadAsTheirCommentsButForWhatIsTold) {
  std::mt19937 random(2);
  const std::string parts[] = {"a",  "B", " ", "\n",     "<b>", "&amp;",  "&", ",",
                               "\"", "=", "'", "\u00e9", "-",   "\u00A0", "1"};
  auto any = [&] {
    std::string text;
    for (auto count = random() % 5; count > 0; --count) text += parts[random() % std::size(parts)];
    return text;
  };
  for (const auto* preset : {"judgeme", "loox", "okendo", "shopify", "woocommerce"}) {
    for (int i = 0; i < 500; ++i) {
      auto rows = rows_of(preset);
      Comment comment{.id = Ulid::make(1'700'000'000'000 + random() % 1'000'000'000, {2}),
                      .product = "p" + any(),
                      .rating = 1 + static_cast<int>(random() % 5),
                      .author = any(),
                      .title = any(),
                      .text = any()};
      if (random() % 2) comment.language = "de";
      if (random() % 3 == 0) comment.attributes["verified"] = random() % 2 == 0;
      if (random() % 3 == 0)
        comment.reply =
            Reply{.author = any(), .text = "r" + any(), .created_ms = comment.created_ms()};
      auto cells = rows.row_of(comment);
      ASSERT_TRUE(cells);
      Record record;
      for (std::size_t c = 0; c < cells->size(); ++c)
        record.members[rows.columns()[c]] = (*cells)[c];
      Conversion conversion(mapping_in(std::string(find_preset(preset)->text)), {});
      auto again = convert_all(conversion, {record});
      MappedRow wanted{.product = comment.product,
                       .language = comment.language == "und" ? "" : comment.language,
                       .rating = comment.rating,
                       .created_ms = comment.created_ms(),
                       .author = comment.author,
                       .title = comment.title,
                       .text = comment.text,
                       .attributes = comment.attributes,
                       .reply = comment.reply};
      if (again.front().starts_with("{\"id\"")) {
        auto json = boost::json::parse(again.front());
        wanted.id = Ulid::parse(json.at("id").as_string()).value();
        wanted.attributes["source_id"] = comment.id.text();
      }
      auto told = rows.lost();
      told.erase("ids");
      told.erase("values that begin with =, +, - or @, which have a ' before them");
      EXPECT_EQ(again.front() == json_of(wanted), told.empty()) << preset << " " << again.front();
    }
  }
}

}  // namespace
}  // namespace quire
