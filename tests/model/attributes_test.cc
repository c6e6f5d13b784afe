// Attributes: what is one, what is refused, and that none is lost on the way through JSON.
#include "model/attributes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>

#include "model/comment_json.h"
#include "model/document.h"
#include "model/random_attributes.h"
#include "model/validate.h"

namespace quire {
namespace {

std::string repeated(std::size_t n, std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

// "field message; field message", or "ok".
std::string faults_of(const std::vector<FieldError>& fields) {
  std::string out;
  for (const auto& field : fields)
    out += (out.empty() ? "" : "; ") + field.field + " " + field.message;
  return out.empty() ? "ok" : out;
}
template <class T>
std::string faults_of(const Result<T>& result) {
  return result ? "ok" : faults_of(result.error().fields);
}

// The outcome of a POST with these attributes, given as JSON.
std::string posted(const std::string& attributes) {
  return faults_of(parse_draft("{\"rating\":5,\"attributes\":" + attributes + "}", "42"));
}
std::string posted_value(const std::string& value) {
  return posted("{\"a\":" + value + "}");
}

TEST(AttributeNames, BeginWithALetterAndHaveAtMost32Characters) {
  for (int c = 0; c < 256; ++c) {
    std::string each(1, static_cast<char>(c));
    bool letter = 'a' <= c && c <= 'z', digit = '0' <= c && c <= '9';
    EXPECT_EQ(is_attribute_name(each), letter) << c;
    EXPECT_EQ(is_attribute_name("a" + each), letter || digit || c == '_') << c;
  }
  EXPECT_FALSE(is_attribute_name(""));
  EXPECT_TRUE(is_attribute_name(repeated(32, "z")));
  EXPECT_FALSE(is_attribute_name(repeated(33, "z")));
}

TEST(AttributeTexts, HaveOneToAHundredCharactersAndNoControlCharacter) {
  EXPECT_FALSE(is_attribute_text(""));
  EXPECT_TRUE(is_attribute_text(repeated(100, "😀")));
  EXPECT_FALSE(is_attribute_text(repeated(101, "a")));
  for (int c = 0; c < 0x80; ++c)
    EXPECT_EQ(is_attribute_text(std::string(1, static_cast<char>(c))), c >= 0x20) << c;
  EXPECT_FALSE(is_attribute_text("\xED\xA0\x80"));
}

TEST(AttributeNumbers, HaveAMagnitudeBelow2To53) {
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  for (std::int64_t number : {limit, -limit, INT64_MAX, INT64_MIN})
    EXPECT_FALSE(is_attribute_number(number)) << number;
  for (std::int64_t number : {limit - 1, 1 - limit, std::int64_t{0}})
    EXPECT_TRUE(is_attribute_number(number)) << number;
}

TEST(Attributes, OfEveryTypeAreTaken) {
  for (auto value : {"true", "false", "0", "-7", "9007199254740991", "-9007199254740991", "\"M\"",
                     "[]", R"(["a","b"])", R"("a \"b\" \u00e9")"})
    EXPECT_EQ(posted_value(value), "ok") << value;
  EXPECT_EQ(posted("{}"), "ok");
}

TEST(Attributes, OfOtherTypesAreRefusedWithWhatToDo) {
  const std::pair<const char*, const char*> refused[] = {
      {"null", "must not be null; leave it out"},
      {"2.5", "must be a whole number without point or exponent; send 2.5 as 25 tenths, say"},
      {"1e3", "must be a whole number without point or exponent; send 2.5 as 25 tenths, say"},
      {"9007199254740992",
       "must be a whole number of at most 53 bits; send a longer one as a string"},
      {"18446744073709551615",
       "must be a whole number of at most 53 bits; send a longer one as a string"},
      {"{}", "must not be an object; give each of its values a name of its own"},
      {R"({"b":{"c":{"d":{}}}})",
       "must not be an object; give each of its values a name of its own"},
      {"[1]", "must be an array of strings alone"},
      {"[[]]", "must be an array of strings alone"},
      {R"(["a",null])", "must be an array of strings alone"},
      {R"("")", "must have 1 to 100 characters, and no control characters"},
      {R"("a\nb")", "must have 1 to 100 characters, and no control characters"},
      {R"(["a","a"])", "has a string twice; send each string once"},
      {R"(["a",""])",
       "has a string that is empty, has over 100 characters, or has control characters"}};
  for (const auto& [value, message] : refused)
    EXPECT_EQ(posted_value(value), std::string("attributes.a ") + message) << value;
  for (auto none : {"null", "5", "\"a\"", "[]"})
    EXPECT_EQ(posted(none), R"(attributes must be an object: {"size": "M"})") << none;
}

TEST(Attributes, AreNamedByFieldWhereTheyAreAtFault) {
  EXPECT_EQ(posted(R"({"Size":"M","ok":1,"votes":1.5})"),
            "attributes.votes must be a whole number without point or exponent; send 2.5 as 25 "
            "tenths, say; attributes.Size is no name: take 1 to 32 lower-case letters, digits and "
            "underscores, a letter first");
  EXPECT_EQ(posted(R"({"a":1,"a":2})"), "a is given twice");
}

Attributes of_size(std::size_t names, std::size_t texts = 0) {
  Attributes out;
  for (std::size_t i = 0; i < names; ++i) {
    auto name = "n" + std::to_string(100 + i);
    if (texts == 0) out[name] = true;
    for (std::size_t j = 0; j < texts; ++j) {
      if (j == 0) out[name] = std::vector<std::string>();
      std::get<std::vector<std::string>>(out[name]).push_back(std::to_string(1000 + j) +
                                                              repeated(96, "x"));
    }
  }
  return out;
}

TEST(Attributes, AreBoundedInNumberAndBytes) {
  EXPECT_EQ(faults_of(check_attributes(of_size(32))), "ok");
  EXPECT_EQ(faults_of(check_attributes(of_size(33))),
            "attributes has 33 names; at most 32 are kept");
  EXPECT_EQ(faults_of(check_attributes(of_size(1, 16))), "ok");
  EXPECT_EQ(faults_of(check_attributes(of_size(1, 17))),
            "attributes.n100 has 17 strings; at most 16 are kept");
  for (std::size_t names : {2, 3}) {
    auto attributes = of_size(names, 14);
    std::string json;
    append_json(json, attributes);
    auto expected = json.size() <= 4096 ? "ok"
                                        : "attributes has " + std::to_string(json.size()) +
                                              " bytes as JSON; at most 4096 are kept";
    EXPECT_EQ(faults_of(check_attributes(attributes)), expected);
    EXPECT_EQ(json.size() <= 4096, names == 2);
  }
}

TEST(Attributes, AreNotWrittenUnderAReservedName) {
  for (std::string name :
       {"q", "ui", "quire", "base", "jsonld", "token", "ticket", "status", "reason", "note",
        "reply", "media", "customer", "etag", "filter", "matches", "replied", "has_media"}) {
    auto attributes = R"("attributes":{")" + name + R"(":true})";
    auto fault = "attributes." + name +
                 " is a name that Quire keeps for itself; give the attribute another name";
    auto row = parse_row(R"({"product":"p","rating":5,"created_at":"2024-01-01T00:00:00Z",)" +
                         attributes + "}");
    EXPECT_EQ(faults_of(row), fault);
    EXPECT_EQ(faults_of(parse_draft(R"({"rating":5,)" + attributes + "}", "p")), fault);
    EXPECT_EQ(faults_of(parse_patch("{" + attributes + "}")), fault);
    EXPECT_TRUE(parse_patch(R"({"attributes":{")" + name + R"(":null}})")) << name;
  }
}

TEST(Attributes, ReportAtMostTwentyFaults) {
  std::string many;
  for (int i = 0; i < 9'000; ++i) many += ",\"a" + std::to_string(i) + "\":1.5";
  auto refused = parse_draft("{\"rating\":5,\"attributes\":{" + many.substr(1) + "}}", "42");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fields.size(), 20u);
}

Comment comment_with(Attributes attributes) {
  return {.id = Ulid::make(1000, {1}),
          .product = "42",
          .language = "en",
          .rating = 5,
          .attributes = std::move(attributes)};
}

TEST(Attributes, ACommentKeepsThoseThatWereWrittenBeforeTheirNameWasReserved) {
  auto old = comment_with({{"status", std::string("open")}});
  EXPECT_EQ(decode_document(encode_document(old)), old);
  EXPECT_EQ(patched(old, {.attributes = {{"size", std::string("L")}}}).value().attributes.size(),
            2u);
  EXPECT_TRUE(patched(old, {.attributes = {{"status", {}}}}).value().attributes.empty());
}

TEST(Attributes, AreReadBackFromDocumentsAndFromExportedRows) {
  RandomAttributes random(1);
  for (int round = 0; round < 3000; ++round) {
    auto comment = comment_with(random.attributes(random.below(8)));
    ASSERT_EQ(faults_of(check_attributes(comment.attributes)), "ok");
    auto document = encode_document(comment);
    ASSERT_EQ(decode_document(document), comment);
    auto parsed = parse_row(document_json(document));
    ASSERT_TRUE(parsed) << parsed.error().message;
    const auto& row = std::get<Row>(*parsed);
    ASSERT_EQ(comment_of(*row.id, row.draft), comment);
    bool named = document.find("\"attributes\"") != document.npos;
    ASSERT_EQ(named, !comment.attributes.empty());
  }
}

TEST(Attributes, ThatADocumentCannotHaveMakeItDamaged) {
  auto with = [](std::string_view attributes) {
    auto document = encode_document(comment_with({{"a", true}}));
    auto at = document.find(R"({"a":true})");
    return decode_document(document.replace(at, 10, attributes));
  };
  EXPECT_TRUE(with(R"({"a":false})"));
  for (auto damaged : {"{}", "null", "[]", "7", R"({"a":null})", R"({"a":1.5})", R"({"a":""})",
                       R"({"A":1})", R"({"a":{}})", R"({"a":["b","b"]})", R"({"a":[1]})"})
    EXPECT_FALSE(with(damaged)) << damaged;
}

TEST(PatchOfAttributes, IsAMergePatch) {
  RandomAttributes random(2);
  for (int round = 0; round < 3000; ++round) {
    auto before = comment_with(random.attributes(6));
    Attributes expected = before.attributes;
    std::string json;
    for (auto& [name, value] : random.attributes(6)) {
      json += json.empty() ? "" : ",";
      if (random.below(2) == 0) {
        json += "\"" + name + "\":null";
        expected.erase(name);
        continue;
      }
      std::string one;
      append_json(one, {{name, value}});
      json += one.substr(1, one.size() - 2);
      expected[name] = value;
    }
    auto patch = parse_patch("{\"attributes\":{" + json + "}}");
    ASSERT_TRUE(patch) << patch.error().message;
    ASSERT_EQ(patched(before, *patch).value(), comment_with(expected)) << json;
  }
}

TEST(PatchOfAttributes, NullRemovesAll) {
  auto patch = parse_patch(R"({"attributes":null})").value();
  EXPECT_EQ(patched(comment_with(of_size(32)), patch).value(), comment_with({}));
  EXPECT_EQ(faults_of(parse_patch(R"({"attributes":7})")),
            R"(attributes must be an object: {"size": "M"})");
  EXPECT_EQ(patched(comment_with(of_size(3)), parse_patch("{}").value()).value(),
            comment_with(of_size(3)));
}

TEST(PatchOfAttributes, LeavesAtMost32Names) {
  auto patch = parse_patch(R"({"attributes":{"x":1}})").value();
  EXPECT_EQ(faults_of(patched(comment_with(of_size(31)), patch)), "ok");
  auto refused = patched(comment_with(of_size(32)), patch);
  EXPECT_EQ(faults_of(refused), "attributes has 33 names; at most 32 are kept");
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_comment);
  EXPECT_EQ(faults_of(parse_patch(R"({"attributes":{"A":null}})")),
            "attributes.A is no name: take 1 to 32 lower-case letters, digits and underscores, a "
            "letter first");
}

}  // namespace
}  // namespace quire
