// Files in the forms of others, with their mappings and the rows that come of them.
#include <gtest/gtest.h>

#include "mapping/conversion.h"
#include "mapping/sample_records.h"

namespace quire {
namespace {

struct Converted {
  std::vector<std::string> rows;
  std::map<std::string, int> passed_over;
  std::vector<std::string> rejected;
  Remarks remarks;
};

FileMapping mapping_of(const std::string& toml) {
  return parse_file_mapping(toml, "map.toml").value();
}

Converted converted(const FileMapping& mapping, const std::vector<Record>& records,
                    Given given = {}) {
  Converted out;
  Conversion conversion(mapping, std::move(given));
  for (const auto& record : records) conversion.look(record);
  EXPECT_TRUE(conversion.looked()) << conversion.looked().error().message;
  for (const auto& record : records) {
    auto result = conversion.convert(record);
    if (auto* row = std::get_if<ConvertedRow>(&result)) out.rows.push_back(row->json);
    if (auto* over = std::get_if<PassedOver>(&result)) ++out.passed_over[over->why];
    if (auto* no = std::get_if<Rejected>(&result)) out.rejected.push_back(no->reason);
  }
  out.remarks = conversion.remarks();
  return out;
}

// Compact, with the members in their order.
std::vector<std::string> expected_rows(const std::string& name) {
  std::vector<std::string> rows;
  for (const auto& line : lines_of(sample(name + ".expected.jsonl")))
    rows.push_back(boost::json::serialize(boost::json::parse(line)));
  return rows;
}

Converted expect_rows(const std::string& name, const std::vector<Record>& records) {
  auto out = converted(mapping_of(sample(name + ".toml")), records);
  EXPECT_EQ(out.rows, expected_rows(name));
  EXPECT_FALSE(out.rows.empty());
  return out;
}

using Counts = std::map<std::string, int>;

TEST(Samples, JudgeMe) {
  auto out = expect_rows("01-judgeme", records_of_csv(sample("01-judgeme.csv"), ','));
  EXPECT_EQ(out.passed_over, (Counts{{"the same id again", 1}}));
  EXPECT_EQ(out.rejected.size(), 0u);
  EXPECT_TRUE(out.remarks.empty());
}

TEST(Samples, Yotpo) {
  auto records = records_of_csv(sample("03-yotpo-excel.csv").substr(3), ';');
  auto out = expect_rows("03-yotpo-excel", records);
  EXPECT_EQ(
      out.rejected,
      (std::vector<std::string>{"There is no such day, or no such time of day: \"31/02/2025\"."}));
  auto toml = sample("03-yotpo-excel.toml");
  auto without = [&](std::string_view part) {
    auto text = toml;
    return text.erase(text.find(part), part.size());
  };
  out = converted(mapping_of(without(", round = \"up\"")), records);
  EXPECT_EQ(out.rows.size(), 2u);
  ASSERT_EQ(out.rejected.size(), 2u);
  EXPECT_EQ(out.rejected[0],
            "The rating is between two of 1 to 5; write round = \"up\" or round = \"down\": "
            "\"4,5\".");
  Conversion conversion(mapping_of(without(", format = \"DD/MM/YYYY\"")), {});
  for (const auto& record : records) conversion.look(record);
  ASSERT_FALSE(conversion.looked());
  EXPECT_EQ(conversion.looked().error().message,
            "Line 2: the date 15/03/2025 has two meanings. Write format = \"DD/MM/YYYY\" or "
            "format = \"MM/DD/YYYY\" in created_at of the mapping.");
}

// The file is in windows-1252, of which it has a few characters.
std::string utf8_of(const std::string& text) {
  std::string out;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80)
      out += c;
    else if (byte == 0x80)
      out += "€";
    else if (byte == 0x96)
      out += "–";
    else
      out += {static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))};
  }
  return out;
}

TEST(Samples, Loox) {
  expect_rows("04-loox-windows", records_of_csv(utf8_of(sample("04-loox-windows.csv")), ','));
}

TEST(Samples, Google) {
  expect_rows("06-google-2.4", records_of_array(R"([
{"review_id":"jm-1","reviewer":{"name":{"@is_anonymous":"true","#text":"Anonymous"},
 "reviewer_id":"77"},"is_verified_purchase":"true",
 "review_timestamp":"2026-09-29T01:25:35+00:00","title":"R&D tent",
 "content":"Stood up to <wind>\nand rain.","review_language":"sv",
 "reviewer_images":{"reviewer_image":[{"url":"https://img.shop.example/1.jpg"},
  {"url":"https://img.shop.example/2.jpg"}]},
 "ratings":{"overall":{"@min":"1","@max":"5","#text":"4"}},
 "products":{"product":{"product_ids":{"mpns":{"mpn":"M1"},"skus":{"sku":["tent-s","tent-l"]},
  "brands":{"brand":"F"}},"product_url":"https://shop.example/products/tent"}}},
{"review_id":"jm-2","reviewer":{"name":"Liv"},"review_timestamp":"2026-09-28T23:00:00-02:00",
 "content":"ok","ratings":{"overall":{"@min":"1","@max":"10","#text":"8"}},
 "products":{"product":{"product_ids":{"brands":{"brand":"F"}},
  "product_url":"https://shop.example/products/mug"}},"is_spam":"false"},
{"review_id":"jm-3","reviewer":{"name":"z"},"review_timestamp":"2026-09-28T00:00:00Z",
 "content":"pills","ratings":{"overall":{"@min":"1","@max":"5","#text":"5"}},
 "products":{"product":{"product_ids":{"skus":{"sku":"mug"}}}},"is_spam":"true"}])"));
}

TEST(Samples, WooCommerce) {
  auto out =
      expect_rows("07-woocommerce-rest", records_of_array(sample("07-woocommerce-rest.json")));
  EXPECT_EQ(out.rejected, std::vector<std::string>{"The rating is not above 0: \"0\"."});
}

constexpr auto wordpress_comments = R"([
{"comment_id":"86","comment_author":"Léa","comment_date_gmt":"2012-02-15 00:00:00",
 "comment_content":"Holds <em>plenty</em> & pours","comment_approved":"1","comment_type":"review",
 "comment_parent":"0","commentmeta":[{"meta_key":"rating","meta_value":"4"},
 {"meta_key":"verified","meta_value":"1"}]},
{"comment_id":"87","comment_author":"Shop","comment_date_gmt":"2012-02-16 00:00:00",
 "comment_content":"Thank you","comment_approved":"1","comment_type":"comment",
 "comment_parent":"86"},
{"comment_id":"88","comment_author":"blog","comment_date_gmt":"2012-02-17 00:00:00",
 "comment_content":"[...] a mug [...]","comment_approved":"1","comment_type":"pingback",
 "comment_parent":"0"}])";

TEST(Samples, WordPress) {
  auto records = records_of_array(wordpress_comments);
  for (auto& record : records)
    record.around = std::make_shared<Surroundings>(
        Surroundings{{"channel", {}}, {"item", {{"post_id", "12"}, {"post_name", "mug"}}}});
  Counts passed_over{{"records that when does not admit", 1}, {"replies in rows of their own", 1}};
  EXPECT_EQ(expect_rows("08-woocommerce-wxr", records).passed_over, passed_over);
  // Children may come first.
  std::rotate(records.begin(), records.begin() + 1, records.end());
  EXPECT_EQ(expect_rows("08-woocommerce-wxr", records).passed_over, passed_over);
}

TEST(Samples, Amazon) {
  auto out = expect_rows("09-amazon", records_of_lines(sample("09-amazon.jsonl")));
  EXPECT_EQ(out.rows.size(), 3u);
}

TEST(Samples, DynamoDb) {
  auto out = expect_rows("11-dynamodb-s3", records_of_items(sample("11-dynamodb-s3.json")));
  EXPECT_EQ(out.passed_over,
            (Counts{{"records that when does not admit", 1}, {"the same id again", 2}}));
}

}  // namespace
}  // namespace quire
