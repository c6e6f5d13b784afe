// Reviews as Google's feed has them.
#include "google/review_xml.h"

#include <gtest/gtest.h>

#include <random>

#include "google/schema.h"

namespace quire::google {
namespace {

Comment lamp_comment() {
  return {.id = Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D2EF").value(),
          .product = "42",
          .language = "pt-BR",
          .rating = 2,
          .author = "Ann <b>",
          .title = "Too & fro",
          .text = "It broke.\n\"Twice\"",
          .attributes = {{"verified", true}, {"size", std::string("L")}},
          .media = {{.url = "https://img.shop.example/1.jpg?a=1&b=2"}}};
}

const FeedProduct lamp{.id = "42",
                       .url = "https://shop.example/p/42",
                       .facts = {.name = "Desk lamp",
                                 .brand = "Lumen",
                                 .gtin = {"4006381333931", "96385074"},
                                 .mpn = {"M-1"},
                                 .sku = {"L-42"}}};

std::string feed_of(const std::string& reviews) {
  return feed_head("Field & Stream") + std::string(reviews_begin) + reviews +
         std::string(reviews_end) + std::string(feed_tail);
}

TEST(ReviewXml, HasWhatTheCommentAndTheProductSay) {
  EXPECT_EQ(
      review_xml(lamp_comment(), lamp),
      "<review><review_id>01JD5ZK3V8Q6W3N0A9B7C5D2EF</review_id>"
      "<reviewer><name>Ann &lt;b&gt;</name></reviewer>"
      "<is_verified_purchase>true</is_verified_purchase>"
      "<review_timestamp>2024-11-20T23:47:46.664Z</review_timestamp>"
      "<title>Too &amp; fro</title><content>It broke.\n\"Twice\"</content>"
      "<review_language>pt-BR</review_language>"
      "<review_url type=\"group\">https://shop.example/p/42</review_url>"
      "<reviewer_images><reviewer_image><url>https://img.shop.example/1.jpg?a=1&amp;b=2</url>"
      "</reviewer_image></reviewer_images>"
      "<ratings><overall min=\"1\" max=\"5\">2</overall></ratings>"
      "<products><product><product_ids><gtins><gtin>4006381333931</gtin><gtin>96385074</gtin>"
      "</gtins><mpns><mpn>M-1</mpn></mpns><skus><sku>L-42</sku></skus>"
      "<brands><brand>Lumen</brand></brands></product_ids>"
      "<product_name>Desk lamp</product_name><product_url>https://shop.example/p/42</product_url>"
      "</product></products></review>\n");
  EXPECT_EQ(fault_of(feed_of(review_xml(lamp_comment(), lamp))), "");
}

TEST(ReviewXml, OfNobodySaysSo) {
  auto comment = lamp_comment();
  comment.author = "\u00A0";
  comment.title = " ";
  comment.language = "und";
  comment.attributes = {};
  comment.media = {};
  auto xml =
      review_xml(comment, {.id = "42", .url = "https://shop.example/", .facts = {.name = "42"}});
  EXPECT_NE(xml.find("<name is_anonymous=\"true\">Anonymous</name>"), xml.npos);
  for (const auto* absent : {"title", "review_language", "verified", "images", "brand", "gtin"})
    EXPECT_EQ(xml.find(absent), xml.npos) << absent;
  EXPECT_NE(xml.find("<skus><sku>42</sku></skus>"), xml.npos)
      << "the id by which the shop knows it";
  EXPECT_EQ(fault_of(feed_of(xml)), "");
}

TEST(ReviewXml, IsValidWhateverTheTextsAre) {
  std::mt19937 random(3);
  const std::string parts[] = {"a",          "<",      ">",      "&",      "\"",     "'",
                               "]]>",        "\n",     "\t",     " ",      "\u00e9", "\u4f60",
                               "\U0001F600", "\uFFFE", "\uFFFF", "\u0085", "\u2028"};
  auto any = [&] {
    std::string text;
    for (auto count = random() % 6; count > 0; --count) text += parts[random() % std::size(parts)];
    return text;
  };
  int taken = 0;
  for (int i = 0; i < 2000; ++i) {
    auto comment = lamp_comment();
    comment.rating = 1 + static_cast<int>(random() % 5);
    comment.author = any();
    comment.title = any();
    comment.text = any();
    if (!has_content(comment)) continue;
    ++taken;
    FeedProduct product{
        .id = "p" + any(), .url = "https://shop.example/p", .facts = {.name = "n" + any()}};
    product.facts.brand = any();
    ASSERT_EQ(fault_of(feed_of(review_xml(comment, product))), "") << comment.text;
  }
  EXPECT_GT(taken, 1000);
}

TEST(ReviewXml, OfARatingAloneThereIsNone) {
  auto comment = lamp_comment();
  for (const auto* blank : {"", " \n", "\u00A0", "\uFFFE"}) {
    comment.text = blank;
    EXPECT_FALSE(has_content(comment));
  }
}

TEST(Schema, RefusesWhatTheRulesRefuse) {
  auto good = feed_of(review_xml(lamp_comment(), lamp));
  for (auto [from, to] :
       {std::pair("<content>", "<content> </content><content>"),
        std::pair("2.4</version>", "2.3</version>"), std::pair("type=\"group\"", ""),
        std::pair(">2</overall>", ">6</overall>"), std::pair("96385074", "12x")}) {
    auto wrong = good;
    wrong.replace(wrong.find(from), std::string(from).size(), to);
    EXPECT_NE(fault_of(wrong), "") << from;
  }
}

}  // namespace
}  // namespace quire::google
