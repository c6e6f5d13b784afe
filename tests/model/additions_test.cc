// Pictures and replies: their JSON, and what is wrong with them.
#include "model/additions.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "model/attributes.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/made_facets.h"
#include "model/schema.h"

namespace quire {
namespace {

Comment with_both() {
  return {.id = Ulid::make(1'732'104'060'155, {1}),
          .product = "42",
          .language = "en",
          .rating = 5,
          .author = "Ann",
          .title = "Fits",
          .text = "Warm",
          .media = {{"https://img.shop.example/a%20b.jpg?w=1", 1200, 900, "The \"tent\"\n"},
                    {"https://img.shop.example", 1, 20'000, ""},
                    {.url = "https://img.shop.example/c"}},
          .reply = Reply{"Mia", "Thank you,\n\"Ann\".", 1'732'104'099'001}};
}

constexpr std::string_view additions =
    R"(,"media":[{"url":"https://img.shop.example/a%20b.jpg?w=1","width":1200,"height":900,)"
    R"("alt":"The \"tent\"\n"},{"url":"https://img.shop.example","width":1,"height":20000,"alt":""},)"
    R"({"url":"https://img.shop.example/c","alt":""}],)"
    R"("reply":{"author":"Mia","text":"Thank you,\n\"Ann\".","created_at":"2024-11-20T12:01:39.001Z"}})";

TEST(Additions, FollowTheTextInTheDocumentAndAreReadBackBothWays) {
  auto comment = with_both();
  auto document = encode_document(comment);
  std::string json(document_json(document));
  EXPECT_TRUE(json.ends_with(additions)) << json;
  EXPECT_EQ(written_comment_of(json), comment);
  EXPECT_EQ(comment_of(json), comment);
  EXPECT_EQ(decode_document(document), comment);
  comment.attributes = {{"size", "L"}};
  comment.moderation = {.status = CommentStatus::rejected, .reason = "spam"};
  comment.customer = CustomerHash{{7}};
  EXPECT_EQ(decode_document(encode_document(comment, Members::kept)), comment);
  auto row = parse_row(exported_json(encode_document(comment, Members::kept)));
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_EQ(std::get<Row>(*row).draft.media, comment.media);
  EXPECT_EQ(std::get<Row>(*row).draft.reply, comment.reply);
}

TEST(Additions, ThatAreDamagedMakeADocumentDamaged) {
  std::string json(document_json(encode_document(with_both())));
  const std::pair<std::string_view, std::string_view> faults[] = {
      {R"("width":1200)", R"("width":0)"},
      {R"("width":1200)", R"("width":"1")"},
      {R"("width":1200,)", ""},
      {R"("height":900,)", ""},
      {R"("width":1200,"height":900)", R"("width":0,"height":0)"},
      {R"("url":"https:)", R"("url":"http:)"},
      {R"("created_at":"2024-11-20T12:01:39.001Z"})", R"("created_at":"soon"})"},
      {R"("text":"Thank you,\n\"Ann\".")", R"("text":"")"},
      {R"("author":"Mia")", R"("writer":"Mia")"}};
  for (const auto& [from, to] : faults) {
    auto damaged = json;
    auto at = damaged.find(from);
    ASSERT_NE(at, damaged.npos) << from;
    damaged.replace(at, from.size(), to);
    EXPECT_FALSE(written_comment_of(damaged)) << damaged;
    EXPECT_FALSE(comment_of(damaged)) << damaged;
  }
}

// Every byte is replaced by every other, and left out.
TEST(Additions, AreWhatAParserFindsOrNothing) {
  const std::string json(document_json(encode_document(with_both())));
  int read = 0;
  auto check = [&](const std::string& changed) {
    auto found = written_comment_of(changed);
    read += found.has_value();
    if (found) {
      ASSERT_EQ(found, comment_of(changed)) << changed;
    }
  };
  for (std::size_t at = json.find(additions); at < json.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      auto changed = json;
      changed[at] = static_cast<char>(byte);
      check(changed);
    }
    check(json.substr(0, at) + json.substr(at + 1));
  }
  EXPECT_GT(read, 5000) << "changes within texts and numbers";
}

std::string fields_of(const Error& error) {
  std::string out;
  for (const auto& field : error.fields) out += field.field + " ";
  return out;
}

TEST(Media, EachFaultIsNamedByItsPlace) {
  auto refused = [](std::string_view media) {
    auto draft = parse_draft(R"({"rating":5,"media":)" + std::string(media) + "}", "42");
    return draft ? std::string("taken") : fields_of(draft.error());
  };
  EXPECT_EQ(refused("[]"), "taken");
  EXPECT_EQ(refused("{}"), "media ");
  EXPECT_EQ(refused("[1]"), "media ");
  EXPECT_EQ(refused(R"([{}])"), "media.0.url ");
  EXPECT_EQ(refused(R"([{"url":"https://a.b/c"}])"), "taken");
  EXPECT_EQ(refused(R"([{"url":"https://a.b/c","width":1}])"), "media.0.height ");
  EXPECT_EQ(refused(R"([{"url":"https://a.b/c"},{"url":"https://a.b/c","height":1}])"),
            "media.1.width ");
  EXPECT_EQ(refused(R"([{"url":"https://a.b/c","width":0,"height":0}])"),
            "media.0.width media.0.height ");
  EXPECT_EQ(refused(R"([{"url":"https://a.b/c","width":null,"height":null}])"),
            "media.0.width media.0.height ");
  EXPECT_EQ(refused(R"([{"url":"https://a.b/c","width":1,"height":2.5}])"), "media.0.height ");
  EXPECT_EQ(refused(R"([{"url":"https://a.b/c","width":1,"height":2,"alt":7,"size":3}])"),
            "media.0.alt media.0.size ");
  std::string nine = "[";
  for (int i = 0; i < 9; ++i)
    nine.append(i ? "," : "").append(R"({"url":"https://a.b/c","width":1,"height":2})");
  EXPECT_EQ(refused(nine + "]"), "media ");
  EXPECT_EQ(refused(nine.substr(0, nine.rfind(",{")) + "]"), "taken");
}

TEST(Media, AHostStandsAloneInAnAddress) {
  EXPECT_EQ(host_of("https://img.shop.example/a.jpg"), "img.shop.example");
  EXPECT_EQ(host_of("https://img.shop.example?x"), "img.shop.example");
  EXPECT_EQ(host_of("https://img.shop.example#x"), "img.shop.example");
  for (std::string_view wrong :
       {"http://a.b/c", "https://", "https:///c", "https://a.b:444/c", "https://u@a.b/c",
        "https://a.b@evil.example/c", "https://A.b/c", "https://a..b/c", "https://.a/c",
        "https://a.b/ c", "https://a.b/\"", "https://a.b/ü", "//a.b/c", "javascript:1"})
    EXPECT_FALSE(host_of(wrong)) << wrong;
}

TEST(Reply, HasATextAndPerhapsAnAuthor) {
  auto reply = parse_reply(R"({"text":"Thank you.\r\nBye"})").value();
  EXPECT_EQ(reply.text, "Thank you.\nBye");
  EXPECT_EQ(reply.author, "");
  EXPECT_EQ(parse_reply(R"({"text":"a","author":" \u3164"})").value().author, "");
  auto refused = [](std::string_view json) { return fields_of(parse_reply(json).error()); };
  EXPECT_EQ(refused(R"({"author":"Mia"})"), "reply.text ");
  EXPECT_EQ(refused(R"({"text":"a","created_at":"2024-11-20T12:01:39.001Z"})"),
            "reply.created_at ");
  EXPECT_EQ(refused("[]"), "reply ");
  EXPECT_EQ(refused(R"({"text":"a","author":")" + std::string(101, 'x') + "\"}"), "reply.author ");
  EXPECT_FALSE(parse_patch(R"({"reply":null})"));
}

TEST(MadeFacets, FollowFromTheComment) {
  Facet replied{"replied", FacetType::flag}, has_media{"has_media", FacetType::flag};
  auto comment = with_both();
  EXPECT_EQ(facet_value(replied, comment), AttributeValue(true));
  EXPECT_EQ(facet_value(has_media, comment), AttributeValue(true));
  EXPECT_EQ(facet_attributes(comment), (Attributes{{"has_media", true}, {"replied", true}}));
  comment.reply.reset();
  comment.media.clear();
  EXPECT_EQ(facet_value(replied, comment), AttributeValue(false));
  EXPECT_EQ(facet_value(has_media, comment), AttributeValue(false));
  EXPECT_EQ(facet_attributes(comment), (Attributes{{"has_media", false}, {"replied", false}}));
  comment.attributes = {{"replied", true}};  // as an index beside a store gives it
  EXPECT_EQ(facet_value(replied, comment), AttributeValue(true));
  EXPECT_EQ(facet_attributes(comment), (Attributes{{"has_media", false}, {"replied", true}}));
}

TEST(MadeFacets, AreReservedAndDeclaredWithTheirTypeAlone) {
  for (const auto& made : made_facets) {
    std::string name(made.name);
    EXPECT_TRUE(is_reserved(name)) << name;
    EXPECT_TRUE(is_declarable(name)) << name;
    for (const auto& [text, type] : facet_types)
      EXPECT_EQ(check_declaration({}, {name, type}).ok(), type == made.type) << name << text;
    for (const auto& comment : {Comment(), with_both()}) {
      auto value = facet_value({name, made.type}, comment);
      EXPECT_TRUE(value && fits({name, made.type}, *value)) << name;
      EXPECT_EQ(facet_attributes(comment).at(name), value) << name;
    }
  }
}

}  // namespace
}  // namespace quire
