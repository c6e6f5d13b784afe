#include "mapping/presets/proposal.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>

#include "mapping/file_mapping.h"

namespace quire {
namespace {

// A row of a file for each line of JSON; "around" is the elements around it.
std::vector<Record> records(const std::vector<std::string>& lines) {
  std::vector<Record> out;
  for (const auto& line : lines) {
    Record record{.members = boost::json::parse(line).as_object(), .line = out.size() + 1};
    auto around = std::make_shared<Surroundings>();
    if (const auto* given = record.members.if_contains("around"))
      for (const auto& [name, value] : given->as_object())
        around->emplace_back(name, value.as_object());
    record.around = around;
    record.members.erase("around");
    out.push_back(std::move(record));
  }
  return out;
}

void expect_lines(const std::string& text, const std::vector<std::string>& lines) {
  for (const auto& line : lines)
    EXPECT_NE(text.find("\n" + line + "\n"), text.npos) << line << "\n\n" << text;
}

std::string proposed(const std::vector<std::string>& lines, std::string_view rows = "") {
  auto text = propose_file_mapping(records(lines), rows);
  auto mapping = parse_file_mapping(text, "mapping");
  EXPECT_TRUE(mapping) << (mapping ? "" : mapping.error().message) << "\n" << text;
  return text;
}

const std::vector<std::string> judgeme = {
    R"({"title":"Warm","body":"Wore it","rating":"5","review_date":"2025-01-03 23:59:02 UTC",
 "source":"web","curated":"ok","reviewer_name":"Ann","reviewer_email":"a@mail.example",
 "product_id":"8877","product_handle":"wool-hat","reply":"","reply_date":"","picture_urls":"",
 "ip_address":"192.0.2.7","location":"Turku","metaobject_handle":"review-0001"})",
    R"({"title":"","body":"Itches much.","rating":"2","review_date":"2025-01-05 13:37:12 UTC",
 "source":"new-rre-flow","curated":"ok","reviewer_name":"Bo","reviewer_email":"o@shop.example",
 "product_id":"8877","product_handle":"wool-hat","reply":"Sorry, Bo",
 "reply_date":"2025-02-01 08:00:00 UTC",
 "picture_urls":"https://pics.example/a.jpg, https://pics.example/b.jpg","ip_address":"",
 "location":"","metaobject_handle":"review-0002"})",
    R"({"title":"BUY","body":"watches","rating":"5","review_date":"2025-01-06 00:00:00 UTC",
 "source":"web","curated":"spam","reviewer_name":"x","reviewer_email":"x@x.example",
 "product_id":"8878","product_handle":"wool-scarf","reply":"","reply_date":"","picture_urls":"",
 "ip_address":"","location":"","metaobject_handle":"review-0004"})",
    R"({"title":"Soft","body":"Waits","rating":"4","review_date":"2025-01-07 00:00:00 UTC",
 "source":"web","curated":"not-yet","reviewer_name":"Di","reviewer_email":"d@mail.example",
 "product_id":"8878","product_handle":"wool-scarf","reply":"","reply_date":"","picture_urls":"",
 "ip_address":"","location":"","metaobject_handle":"review-0005"})"};

TEST(Proposal, OfJudgeMeIsItsPresetAndMore) {
  auto text = proposed(judgeme);
  EXPECT_TRUE(text.starts_with("# These are the columns of Judge.me: --map judgeme.\n")) << text;
  expect_lines(
      text,
      {R"(id = { column = "metaobject_handle" })", R"(product = { column = "product_handle" })",
       R"(rating = { column = "rating" })", R"(created_at = { column = "review_date" })",
       R"(author = { column = "reviewer_name" })", R"(title = { column = "title" })",
       R"(text = { column = "body" })", R"(pictures = { column = "picture_urls" })",
       R"(# Of these nobody knows what they mean, so they wait: "not-yet")", "[reply]",
       R"(text = { column = "reply" })", R"(created_at = { column = "reply_date" })",
       R"(# reviewer_email = { column = "reviewer_email" }  # personal: its name has "email")",
       R"(# ip_address = { column = "ip_address" }  # personal: its name has "ip")",
       R"(# location = { column = "location" }  # personal: its name has "location")"});
  auto mapping = parse_file_mapping(text, "m").value();
  ASSERT_TRUE(mapping.status);
  EXPECT_EQ(mapping.status->values.at("ok"), "published");
  EXPECT_EQ(mapping.status->values.at("spam"), "rejected:spam");
  EXPECT_EQ(mapping.status->values.at("*"), "pending");
}

TEST(Proposal, OfOtherHeadersIsMadeByWordsAndValues) {
  auto text = proposed({R"({"Bewertung Nr":"1","reviewId":"r1","Item SKU":"hat-1","Stars":"8",
 "Submitted On":"15/03/2025","Nickname":"Ann","Full Name":"Ann A","Headline":"Fits",
 "Review Text":"<p>Fits &amp; warms</p>","State":"live","Helpful Votes":"3","Size":"M",
 "Verified Buyer":"Yes","Phone":"+49 30 123456"})",
                        R"({"Bewertung Nr":"2","reviewId":"r2","Item SKU":"hat-1","Stars":"10",
 "Submitted On":"16/03/2025","Nickname":"Anonymous","Full Name":"Bo B","Headline":"Good",
 "Review Text":"<p>Good<br>thing</p>","State":"live","Helpful Votes":"0","Size":"L",
 "Verified Buyer":"No","Phone":""})",
                        R"({"Bewertung Nr":"3","reviewId":"r3","Item SKU":"hat-2","Stars":"3",
 "Submitted On":"17/03/2025","Nickname":"","Full Name":"Cy C","Headline":"",
 "Review Text":"<p>No</p>","State":"hidden","Helpful Votes":"1","Size":"M","Verified Buyer":"No",
 "Phone":""})"});
  EXPECT_EQ(text.find("These are the columns"), text.npos) << text;
  expect_lines(
      text,
      {R"(id = { column = "reviewId" })", R"(product = { column = "Item SKU" })",
       R"(rating = { column = "Stars", max = 10 })",
       R"(created_at = { column = "Submitted On", format = "DD/MM/YYYY" })",
       R"(author = { column = ["Nickname", "Full Name"], values = { "Anonymous" = "" } })",
       R"(title = { column = "Headline" })", R"(text = { column = "Review Text", html = true })",
       R"(helpful_votes = { column = "Helpful Votes", type = "number" })",
       R"(size = { column = "Size", type = "text" })",
       R"(verified_buyer = { column = "Verified Buyer", type = "flag" })"});
  auto mapping = parse_file_mapping(text, "m").value();
  EXPECT_EQ(mapping.status->values.at("live"), "published");
  EXPECT_EQ(mapping.status->values.at("hidden"), "pending");
  EXPECT_NE(text.find("# phone = "), text.npos) << text;
}

std::string with_dates(const std::vector<std::string>& dates) {
  std::vector<std::string> lines;
  for (const auto& date : dates)
    lines.push_back(R"({"product":"a","rating":"5","date":")" + date + R"(","text":"good one"})");
  return propose_file_mapping(records(lines), "");
}

TEST(Proposal, SaysWhenDayAndMonthCannotBeToldApart) {
  expect_lines(
      with_dates({"03/04/2025", "05/06/2025"}),
      {R"(# Day and month cannot be told apart here: add format = "DD/MM/YYYY" or "MM/DD/YYYY".)",
       R"(created_at = { column = "date" })"});
  expect_lines(
      with_dates({"03/04/2025", "05/16/2025 9:05 PM"}),
      {R"(created_at = { column = "date", format = ["MM/DD/YYYY", "MM/DD/YYYY h:mm A"] })"});
}

TEST(Proposal, TellsHowTimesAreWritten) {
  const std::pair<const char*, const char*> forms[] = {
      {"13.02.2025 10:11", "DD.MM.YYYY HH:mm"},
      {"March 2, 2025", "MMMM D, YYYY"},
      {"1393545600", "epoch"},
      {"1393545600123", "epoch"},
      {"12/31/2024, 4:05 PM", "MM/DD/YYYY, h:mm A"}};
  for (const auto& [date, format] : forms)
    expect_lines(with_dates({date, date}),
                 {R"(created_at = { column = "date", format = ")" + std::string(format) + "\" }"});
  for (const char* date : {"2025-03-02", "2025-03-02T10:12:00+02:00", "2025-03-02 10:12:00 UTC"})
    expect_lines(with_dates({date, date}), {R"(created_at = { column = "date" })"});
}

TEST(Proposal, KnowsPathsAndPairsOfXml) {
  auto text = proposed({R"({"around":{"item":{"post_name":"mug","title":"Mug"}},"comment_id":"86",
 "comment_author":"Lea","comment_author_email":"l@mail.example","comment_author_IP":"192.0.2.9",
 "comment_date":"2012-02-15 01:00:00","comment_date_gmt":"2012-02-15 00:00:00",
 "comment_content":"Holds <em>plenty</em> & pours","comment_approved":"1","comment_type":"review",
 "comment_parent":"0","commentmeta":[{"meta_key":"rating","meta_value":"4"},{"meta_key":"verified",
 "meta_value":"1"}]})",
                        R"({"around":{"item":{"post_name":"mug","title":"Mug"}},"comment_id":"89",
 "comment_author":"Bo","comment_author_email":"","comment_author_IP":"",
 "comment_date":"2012-02-16 01:00:00","comment_date_gmt":"2012-02-16 00:00:00",
 "comment_content":"Not <b>bad</b>","comment_approved":"0","comment_type":"review",
 "comment_parent":"0","commentmeta":{"meta_key":"rating","meta_value":"3"}})",
                        R"({"around":{"item":{"post_name":"mug","title":"Mug"}},"comment_id":"87",
 "comment_author":"Shop","comment_date_gmt":"2012-02-16 00:00:00","comment_content":"Thank you",
 "comment_approved":"1","comment_type":"comment","comment_parent":"86"})",
                        R"({"around":{"item":{"post_name":"mug","title":"Mug"}},"comment_id":"88",
 "comment_author":"blog","comment_date_gmt":"2012-02-17 00:00:00","comment_content":"a mug",
 "comment_approved":"1","comment_type":"pingback","comment_parent":"0"})"},
                       "comment");
  EXPECT_TRUE(text.starts_with("# These are the columns of WordPress: --map wordpress.\n")) << text;
  expect_lines(
      text,
      {R"(rows = "comment")", R"(when = { column = "comment_type", not = ["pingback"] })",
       R"(id = { column = "comment_id" })", R"(product = { column = "item.post_name" })",
       R"(rating = { column = "commentmeta[meta_key=rating].meta_value" })",
       R"(created_at = { column = "comment_date_gmt" })",
       R"(author = { column = "comment_author" })",
       R"(text = { column = "comment_content", html = true })", R"(# of = "comment_parent")",
       R"(verified = { column = "commentmeta[meta_key=verified].meta_value", type = "flag" })"});
  EXPECT_EQ(text.find("192.0.2.9"), text.npos);
  EXPECT_EQ(text.find("\ncomment_type = "), text.npos) << text;
  EXPECT_NE(text.find("\n# Without a rating, and no comments: 2 rows.\n"), text.npos) << text;
}

TEST(Proposal, KnowsListsAndScalesOfFeeds) {
  auto text = proposed(
      {R"({"review_id":"jm-1","reviewer":{"name":{"@is_anonymous":"true","#text":"Anonymous"},
 "reviewer_id":"77"},"is_verified_purchase":"true","review_timestamp":"2026-09-29T01:25:35+00:00",
 "title":"R&D","content":"Stood up","review_language":"sv",
 "reviewer_images":{"reviewer_image":[{"url":"https://i.example/1.jpg"},
 {"url":"https://i.example/2.jpg"}]},"ratings":{"overall":{"@min":"1","@max":"5","#text":"4"}},
 "products":{"product":{"product_ids":{"skus":{"sku":["tent-s","tent-l"]},"brands":{"brand":"F"}},
 "product_name":"Tent","product_url":"https://shop.example/products/tent"}}})",
       R"({"review_id":"jm-2","reviewer":{"name":"Liv"},
 "review_timestamp":"2026-09-28T23:00:00-02:00","content":"good","ratings":{"overall":{"@min":"1",
 "@max":"10","#text":"8"}},"products":{"product":{"product_ids":{"brands":{"brand":"F"}},
 "product_name":"Mug","product_url":"https://shop.example/products/mug"}},"is_spam":"false"})"},
      "review");
  EXPECT_TRUE(text.starts_with("# These are the columns of Google's product review feed")) << text;
  expect_lines(
      text,
      {R"(rating = { column = "ratings.overall", max = "ratings.overall.@max" })",
       R"(product = { column = ["products.product.product_ids.skus.sku", "products.product.product_url"] })",
       R"(author = { column = "reviewer.name", values = { "Anonymous" = "" } })",
       R"(pictures = { column = "reviewer_images.reviewer_image", member = "url" })",
       R"(language = { column = "review_language" })"});
  EXPECT_EQ(text.find("\nreviewer_id"), text.npos) << text;
}

TEST(Proposal, TakesKeysOfTablesApart) {
  auto text = proposed(
      {R"({"pk":"COMMENT#100001","sk":"PRODUCT#42/~/~","cd":"2020-11-10T16:31:30","language":"en",
 "rating":5,"comment":{"title":"Fits","text":"Well made","verified":true}})",
       R"({"pk":"COMMENT#100001","sk":"PRODUCT#42/en/5","cd":"2020-11-10T16:31:30","language":"en",
 "rating":5,"comment":{"title":"Fits","text":"Well made","verified":true}})",
       R"({"pk":"PRODUCT#42","sk":"FACTS","name":"Desk lamp"})",
       R"({"pk":"COMMENT#100002","sk":"PRODUCT#42/~/~","cd":"2020-11-10 16:37","language":"pt_BR",
 "rating":"3","comment":{}})"});
  expect_lines(text,
               {R"(when = { column = "pk", begins = "COMMENT#" })",
                R"(id = { column = "pk", pattern = "COMMENT#{id}" })",
                R"(rating = { column = "rating" })", R"(created_at = { column = "cd" })",
                R"(title = { column = "comment.title" })", R"(text = { column = "comment.text" })",
                R"(verified = { column = "comment.verified", type = "flag" })"});
  EXPECT_NE(text.find(R"(product = { column = "sk", pattern = ["PRODUCT#{product}/{rest}", )"),
            text.npos)
      << text;
}

TEST(Proposal, SinglesOutAddressesOfProducts) {
  auto text = proposed({R"({"Review Title":"Super","Review Content":"Sage ich","Review Score":"5",
 "Date":"15/03/2025","Product ID":"999","Product Title":"Beutel","Display Name":"Ana L.",
 "Email":"a@mail.example"})",
                        R"({"Review Title":"Gut","Review Content":"Passt mir","Review Score":"4,5",
 "Date":"03/04/2025","Product ID":"999","Product Title":"Beutel","Display Name":"Ben",
 "Email":"b@mail.example"})"});
  EXPECT_TRUE(text.starts_with("# These are the columns of Yotpo: --map yotpo.\n")) << text;
  expect_lines(
      text,
      {R"(product = { column = "Product ID" })",
       R"(# 1 value lies between two ratings: rejected, unless round = "up" or "down" is added.)"});
}

TEST(Proposal, OddValuesChangeNothing) {
  std::vector<std::string> lines;
  for (int i = 0; i < 40; ++i)
    lines.push_back(R"({"sku":"a","rating":")" +
                    std::string(i == 7   ? "11"
                                : i == 8 ? ""
                                         : "4") +
                    R"(","created":")" + (i == 9 ? "soon" : "2025-01-03") +
                    R"(","text":"fine thing"})");
  auto text = proposed(lines);
  expect_lines(text,
               {R"(rating = { column = "rating" })", R"(created_at = { column = "created" })"});
}

// Whatever names and values are, the text is TOML, and a mapping.
TEST(Proposal, IsAMappingWhateverTheFileHas) {
  std::mt19937 random(1);
  const std::vector<std::string> pieces = {
      "\"",    "\n",   "\\",     "{",      "}",  "[a=b]",  ".",      "#",
      "\x7f",  "\x01", "=",      "mail",   "id", "é",      "review", "product",
      "reply", "date", "status", "hidden", "'",  "{rest}", "://",    "0"};
  auto text_of = [&](std::size_t most) {
    std::string text;
    for (auto n = random() % (most + 1); n > 0; --n) text += pieces[random() % pieces.size()];
    return text;
  };
  for (int i = 0; i < 300; ++i) {
    std::vector<std::string> names(8);
    for (auto& name : names) name = text_of(4);
    std::vector<Record> sample(1 + random() % 6);
    for (auto& record : sample) {
      record.members = {{"sku", text_of(2) + "a"}, {"rating", "4"}, {"created_at", "2025-01-02"}};
      for (const auto& name : names) {
        if (random() % 4 == 0)
          record.members[name] = {{text_of(2), text_of(3)}, {"url", "://"}};
        else
          record.members[name] = text_of(3);
      }
    }
    auto text = propose_file_mapping(sample, text_of(2));
    auto mapping = parse_file_mapping(text, "m");
    ASSERT_TRUE(mapping) << mapping.error().message << "\n" << text;
  }
}

TEST(Proposal, WithoutRatingOrTimeIsRefusedAsAWhole) {
  auto text = propose_file_mapping(records({R"({"sku":"a","text":"fine thing"})"}), "");
  expect_lines(text, {"# It is not complete: see the remarks below."});
  EXPECT_FALSE(parse_file_mapping(text, "m"));
  auto words = propose_file_mapping(
      records({R"({"sku":"a","rating":"good","date":"2025-01-01","text":"fine thing"})"}), "");
  expect_lines(words, {R"(# rating = { column = "rating", values = { "good" = "1 to 5" } })"});
  EXPECT_FALSE(parse_file_mapping(propose_file_mapping({}, ""), "m"));
}

}  // namespace
}  // namespace quire
