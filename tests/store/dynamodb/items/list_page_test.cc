// Answers decoded straight into documents equal the documents of the decoded items' comments.
#include "store/dynamodb/items/list_page.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>

#include "model/document.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/provision/table.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

const std::string texts[] = {
    "",           "plain",         "a \"quote\", a \\ and a /", "one\n\ttwo",
    "😀 é \u2028", "<script>&amp;", std::string(3000, 'x'),      R"({"S":"text"})"};

Comment random_comment(std::mt19937& random) {
  auto text = [&] { return texts[random() % std::size(texts)]; };
  Comment comment = comment_at(1000 + random() % 1000, random(), random() % 2 ? "en" : "und",
                               static_cast<int>(random() % 5) + 1, "4/2");
  comment.author = text();
  comment.title = text();
  comment.text = text();
  return comment;
}

// The attributes of a comment that an index holds.
Item projected(const Comment& comment, std::string_view partition) {
  Item item;
  for (const auto& [name, attribute] : comment_item(comment)) {
    bool held = name == "PK" || name == "SK" || name == partition || name == sort_attribute;
    for (auto other : projected_attributes) held |= name == other;
    if (held) item.emplace(name, attribute);
  }
  return item;
}

json::object answer_with(const std::vector<Item>& items) {
  json::array all;
  for (const auto& item : items) all.push_back(encode(item));
  return {{"Count", all.size()},
          {"Items", std::move(all)},
          {"ConsumedCapacity", {{"TableName", "t"}, {"CapacityUnits", 1.5}}}};
}

std::optional<ListPage> decode(const json::object& answer) {
  return decode_list_page(json::serialize(answer), "4/2", Cell{});
}

TEST(ListEntry, DocumentsEqualThoseOfTheComments) {
  std::mt19937 random(20261121);
  for (std::size_t round = 0; round < 200; ++round) {
    std::vector<Item> items;
    std::size_t bytes = 0;
    for (auto count = random() % 40; count > 0; --count) {
      items.push_back(projected(random_comment(random), partition_attributes[round % 4]));
      bytes += billed_bytes(items.back());
    }
    auto list = decode(answer_with(items));
    ASSERT_TRUE(list);
    EXPECT_EQ(list->billed_bytes, bytes);
    EXPECT_EQ(list->consumed, 1.5);
    EXPECT_TRUE(list->end);
    ASSERT_EQ(list->entries.size(), items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      Comment comment = comment_of(items[i]).value();
      EXPECT_EQ(list->entries[i].id, comment.id);
      EXPECT_EQ(list->entries[i].document, encode_document(comment));
    }
  }
}

TEST(ListEntry, OnlyAnAbsentLastKeyIsTheEnd) {
  std::mt19937 random(1);
  Comment comment = random_comment(random);
  Item key = resume_key("4/2", Cell{}, comment.id);
  auto full = answer_with({comment_item(comment)}), empty = answer_with({});
  EXPECT_TRUE(decode(full)->end);
  EXPECT_TRUE(decode(empty)->end);
  for (auto* answer : {&full, &empty}) {
    (*answer)["LastEvaluatedKey"] = nullptr;
    EXPECT_TRUE(decode(*answer)->end);
    EXPECT_FALSE(decode(*answer)->last);
    (*answer)["LastEvaluatedKey"] = encode(key);
    EXPECT_FALSE(decode(*answer)->end);
  }
  // A read goes on after the last entry; without an entry, after the service's key.
  EXPECT_FALSE(decode(full)->last);
  EXPECT_EQ(decode(empty)->last, key);
  empty["LastEvaluatedKey"] = "nonsense";
  EXPECT_FALSE(decode(empty)) << "it would be read from its start again";
}

TEST(ListEntry, ItemsThatAreNoCommentsOfTheListAreLeftOut) {
  std::mt19937 random(2);
  Comment comment = random_comment(random);
  const Item whole = comment_item(comment), other = comment_item(random_comment(random));
  auto changed = [&](const std::string& name, Attribute attribute) {
    Item item = whole;
    item.insert_or_assign(name, std::move(attribute));
    return item;
  };
  std::vector<Item> damaged;
  for (const char* name : {"PK", "SK", "GSISK", "language", "rating"}) {
    damaged.push_back(whole);
    damaged.back().erase(name);
    damaged.push_back(changed(name, {Type::other, R"({"NULL":true})"}));
    damaged.push_back(changed(name, {whole.at(name).type, "9"}));
  }
  damaged.push_back(changed("data", string("{")));
  damaged.push_back(changed("data", number(5)));
  damaged.push_back(changed("data", {Type::other, R"({"L":[]})"}));
  damaged.push_back(changed("language", number(5)));
  for (const auto& item : damaged) {
    auto answer = answer_with({other, item, other});
    answer["LastEvaluatedKey"] = encode(resume_key("4/2", Cell{}, comment.id));
    auto list = decode(answer);
    ASSERT_TRUE(list);
    EXPECT_EQ(list->entries.size(), 2u) << json::serialize(encode(item));
    ASSERT_EQ(list->damaged.size(), 1u);
    EXPECT_EQ(list->damaged[0].key, text_of(item, "PK").value_or(""));
    EXPECT_FALSE(list->damaged[0].reason.empty());
    // All items are damaged: only the service's key tells where to go on.
    answer["Items"] = json::array{encode(item), encode(item)};
    list = decode(answer);
    EXPECT_TRUE(list->entries.empty());
    EXPECT_EQ(list->damaged.size(), 2u);
    EXPECT_FALSE(list->end);
    EXPECT_TRUE(list->last);
  }
}

TEST(ListEntry, ACommentIsShownInListsOfItsOwnLanguageAndRatingOnly) {
  Comment comment = comment_at(1000, 1, "en", 5, "4/2");
  auto body = json::serialize(answer_with({comment_item(comment)}));
  FacetValue en = cell("en", 1)[language_facet], de = cell("de", 1)[language_facet];
  for (Cell list : {Cell{}, Cell{en, any}, Cell{any, 5}, Cell{en, 5}})
    EXPECT_EQ(decode_list_page(body, "4/2", list)->entries.size(), 1u);
  for (Cell list : {Cell{de, any}, Cell{any, 4}, Cell{en, 4}, Cell{de, 5}}) {
    EXPECT_TRUE(decode_list_page(body, "4/2", list)->entries.empty());
    EXPECT_EQ(decode_list_page(body, "4/2", list)->damaged.size(), 1u);
  }
}

TEST(ListEntry, MapsAndTextsOfOtherProgramsAreRead) {
  Comment comment = comment_at(1000, 1, "en", 5, "4/2");
  comment.author = "";
  comment.title = "T";
  comment.text = "a\nb";
  Item item = comment_item(comment);
  item["rating"] = string("5");
  item["data"] = {Type::other,
                  R"({"M":{"title":{"S":"T"},"text":{"S":"a\r\nb"},"author":{"NULL":true}}})"};
  auto list = decode(answer_with({item}));
  ASSERT_EQ(list->entries.size(), 1u);
  EXPECT_EQ(list->entries[0].document, encode_document(comment));
}

TEST(ListEntry, ABodyThatIsNoAnswerIsRefused) {
  for (std::string_view body : {"", "{}", "[]", "null", R"({"Items":7})", R"({"Items":[7]})",
                                R"({"Items":[null]})", R"({"Items":[]}x)"})
    EXPECT_FALSE(decode_list_page(body, "4/2", Cell{})) << body;
  EXPECT_TRUE(decode_list_page(R"({"Items":[]})", "4/2", Cell{}))
      << "an answer without a price was free";
}

// Whatever its keys say: data decides.
TEST(ListEntry, ACommentThatIsNotPublishedIsLeftOut) {
  std::mt19937 random(29);
  auto held = random_comment(random), shown = random_comment(random);
  shown.moderation = {.note = "for moderators", .decided = true};
  Item misplaced = projected(held, "GSI4PK");
  misplaced["data"] = string(R"({"status":"rejected","reason":"spam"})");
  auto list = decode(answer_with({misplaced, projected(shown, "GSI4PK")}));
  ASSERT_TRUE(list);
  ASSERT_EQ(list->entries.size(), 1u);
  EXPECT_EQ(list->entries[0].document.find("for moderators"), std::string::npos);
  shown.moderation = {};
  EXPECT_EQ(list->entries[0].document, encode_document(shown));
  ASSERT_EQ(list->damaged.size(), 1u);
  EXPECT_EQ(list->damaged[0].reason, "It is not published, and lies in a list.");
}

}  // namespace
}  // namespace quire::dynamodb
