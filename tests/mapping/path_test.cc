// Values by their paths, in members and around them.
#include "mapping/path.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace quire {
namespace {

Record with(std::string_view members) {
  Record record;
  record.members = boost::json::parse(members).as_object();
  return record;
}

// The texts at a path, with a bar between.
std::string texts_at(const Record& record, std::string_view path) {
  std::string all;
  each_at(record, path, [&](const boost::json::value& value) {
    all += text_of(value).value_or("-") + "|";
    return false;
  });
  return all;
}

TEST(Paths, LeadThroughMembersAndArrays) {
  auto record = with(R"({
    "name": "a", "empty": "", "null": null, "yes": true, "number": 5.0, "half": 4.5, "whole": 42,
    "long": 123456789012345678901, "longest": 18446744073709551615, "tiny": 1e-3,
    "reviewer": {"name": {"@is_anonymous": "true", "#text": "Ann"}, "no": {"@only": "x"}},
    "helpful": [2, 3], "nested": [[1], [2, 3]],
    "skus": {"sku": ["s", "l"]}, "one": {"sku": "only"},
    "images": [{"url": "u"}, {"url": ""}, {"other": 1}, {"url": "v"}],
    "commentmeta": [{"meta_key": "rating", "meta_value": "4"},
                    {"meta_key": "verified", "meta_value": "1"}],
    "meta": {"key": "rating", "value": "3"}})");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"name", "a|"},
      {"empty", "|"},
      {"null", "-|"},
      {"yes", "true|"},
      {"number", "5|"},
      {"half", "4.5|"},
      {"whole", "42|"},
      {"long", "-|"},
      {"longest", "18446744073709551615|"},
      {"tiny", "0.001|"},
      {"missing", ""},
      {"name.more", ""},
      {"reviewer.name", "Ann|"},
      {"reviewer.name.@is_anonymous", "true|"},
      {"reviewer.no", "-|"},
      {"helpful.0", "2|"},
      {"helpful.1", "3|"},
      {"helpful.2", ""},
      {"helpful", "2|3|"},
      {"nested", "1|2|3|"},
      {"nested.1.0", "2|"},
      {"skus.sku", "s|l|"},
      {"skus.sku.1", "l|"},
      {"one.sku.0", "only|"},
      {"one.sku.1", ""},
      {"images.url", "u||v|"},
      {"images.3.url", "v|"},
      {"commentmeta[meta_key=rating].meta_value", "4|"},
      {"commentmeta[meta_key=verified].meta_value", "1|"},
      {"commentmeta[meta_key=none].meta_value", ""},
      {"meta[key=rating].value", "3|"},
      {"", ""},
      {".", ""},
      {"..", ""},
      {"[", ""},
      {"[=]", ""}};
  for (auto [path, texts] : cases) EXPECT_EQ(texts_at(record, path), texts) << path;
}

TEST(Paths, MayBeNamesThemselves) {
  auto record = with(R"({"a.b": "whole", "a": {"b": "within", "c.d": {"e": "x"}},
    "f[g=h]": "bracket", "p.q": {"r": "y"}})");
  EXPECT_EQ(texts_at(record, "a.b"), "whole|");
  EXPECT_EQ(texts_at(record, "a.c.d.e"), "x|");
  EXPECT_EQ(texts_at(record, "f[g=h]"), "bracket|");
  EXPECT_EQ(texts_at(record, "p.q.r"), "y|");
}

TEST(Paths, LeadIntoATextOfJson) {
  auto record =
      with(R"({"data": "{\"a\": {\"b\": 4.5}, \"t\": \"{\\\"c\\\": true}\", \"l\": [1, 2]}",
    "open": "{\"a\": 1", "list": "[1]", "a.b": "{"})");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"data.a.b", "4.5|"}, {"data.t.c", "true|"}, {"data.l.1", "2|"}, {"data.l", "1|2|"},
      {"data.none", ""},    {"open.a", ""},        {"list.0", "[1]|"}, {"a.b", "{|"}};
  for (auto [path, texts] : cases) EXPECT_EQ(texts_at(record, path), texts) << path;
  EXPECT_TRUE(texts_at(record, "data").starts_with("{"));
}

TEST(Paths, MayEndAtAWholeArray) {
  auto record = with(R"({"a": [["x"], ["y"]], "b": [{"c": [1]}, {"c": [2, 3]}], "d": 1})");
  auto shown = [&](std::string_view path) {
    std::string all;
    auto add = [&](const boost::json::value& value) {
      all += boost::json::serialize(value) + "|";
      return false;
    };
    each_at(record, path, add, Arrays::whole);
    return all;
  };
  EXPECT_EQ(shown("a"), R"([["x"],["y"]]|)");
  EXPECT_EQ(shown("a.1"), R"(["y"]|)");
  EXPECT_EQ(shown("b.c"), "[1]|[2,3]|");
  EXPECT_EQ(shown("d"), "1|");
}

TEST(Paths, MayBeginAroundTheRow) {
  auto record = with(R"({"Rating": "4", "item": "inner"})");
  record.around = std::make_shared<Surroundings>(
      Surroundings{{"Product", {{"@id", "outer"}}},
                   {"Feed", {{"@name", "f"}}},
                   {"Product", {{"@id", "p1"}, {"Name", {{"Short", "n"}}}}},
                   {"item", {{"post_name", "mug"}}}});
  EXPECT_EQ(texts_at(record, "Product.@id"), "p1|");
  EXPECT_EQ(texts_at(record, "Product.Name.Short"), "n|");
  EXPECT_EQ(texts_at(record, "Feed.@name"), "f|");
  EXPECT_EQ(texts_at(record, "item.post_name"), "mug|");
  EXPECT_EQ(texts_at(record, "item"), "inner|");
  EXPECT_EQ(texts_at(record, "Rating"), "4|");
}

TEST(Paths, BeginAtSomeNames) {
  std::set<std::string, std::less<>> names;
  for (auto path : {"date", "a.b.0", "m[k.x=v.w].n"}) add_first_names(path, names);
  EXPECT_EQ(names, (std::set<std::string, std::less<>>{"date", "a", "a.b", "a.b.0", "m",
                                                       "m[k.x=v.w]", "m[k.x=v.w].n"}));
}

TEST(Paths, EndWithTheFirstThatIsEnough) {
  auto record = with(R"({"a": ["x", ["y", "z"]]})");
  int count = 0;
  EXPECT_TRUE(each_at(record, "a", [&](const boost::json::value&) { return ++count == 2; }));
  EXPECT_EQ(count, 2);
}

}  // namespace
}  // namespace quire
