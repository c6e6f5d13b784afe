// The stored form of a comment, byte for byte as docs/formats/document.md has it.
#include "model/document.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace quire {
namespace {

Comment golden_comment() {
  return {Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value(),
          "42",
          "en",
          5,
          "Ann",
          "Fits",
          "Warm & dry,\n\"really\""};
}

constexpr std::string_view golden_json =
    R"({"id":"01JD4Q4Z7VTSV4RRFFQ69G5FAV","product":"42","language":"en","rating":5,)"
    R"("created_at":"2024-11-20T12:01:00.155Z","author":"Ann","title":"Fits",)"
    R"("text":"Warm & dry,\n\"really\""})";

constexpr std::string_view golden_header(
    "\x01"
    "\0\0\x0A\xE0\0\0\0\0"
    "\x05",
    10);

TEST(Document, HasTheBytesOfItsSpecification) {
  EXPECT_EQ(encode_document(golden_comment()),
            std::string(golden_header) + std::string(golden_json));
}

TEST(Document, OfACustomerHasTheHashInItsHeader) {
  auto comment = golden_comment();
  comment.customer = CustomerHash::parse("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8").value();
  std::string header(golden_header);
  header[0] = 2;
  for (char byte = 0; byte < 32; ++byte) header += byte;
  auto document = encode_document(comment);
  EXPECT_EQ(document, header + std::string(golden_json));
  EXPECT_EQ(document_json(document), golden_json);
  EXPECT_EQ(document_cell(document), document_cell(encode_document(golden_comment())));
  EXPECT_EQ(decode_document(document), comment);
  EXPECT_EQ(document_tag(document), document_tag(encode_document(golden_comment())));
}

TEST(Document, IsExportedWithItsCustomer) {
  auto comment = golden_comment();
  EXPECT_EQ(exported_json(encode_document(comment)), golden_json);
  comment.customer = CustomerHash::parse("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8").value();
  auto exported = exported_json(encode_document(comment));
  std::string wanted(golden_json.substr(0, golden_json.size() - 1));
  wanted += R"(,"customer":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"})";
  EXPECT_EQ(exported, wanted);
  EXPECT_EQ(comment_of(exported), comment);
  for (std::string_view damaged : {"1", R"("A")", "{}"}) {
    auto json = std::string(golden_json.substr(0, golden_json.size() - 1)) + R"(,"customer":)";
    EXPECT_FALSE(comment_of(json.append(damaged) + '}')) << damaged;
  }
}

TEST(Document, EndsWithTheAttributes) {
  auto comment = golden_comment();
  comment.attributes = {{"verified", true},
                        {"tags", std::vector<std::string>{"gift", "for Ann"}},
                        {"size", "M"},
                        {"helpful", 8}};
  std::string json(golden_json.substr(0, golden_json.size() - 1));
  json += R"(,"attributes":{"helpful":8,"size":"M","tags":["gift","for Ann"],"verified":true}})";
  EXPECT_EQ(document_json(encode_document(comment)), json);
  EXPECT_EQ(decode_document(encode_document(comment)), comment);
}

TEST(Document, EndsWithTheStatusUnlessItIsPublished) {
  auto comment = golden_comment();
  comment.moderation = {CommentStatus::rejected, "spam", "Look: \"buy\"", "links",
                        comment.id.ms(),         false};
  auto with = [](std::string_view members) {
    return std::string(golden_json.substr(0, golden_json.size() - 1)) + std::string(members) + "}";
  };
  constexpr std::string_view status = R"(,"status":"rejected","reason":"spam")";
  constexpr std::string_view kept =
      R"(,"note":"Look: \"buy\"","held_by":"links","held_at":"2024-11-20T12:01:00.155Z")";
  EXPECT_EQ(document_json(encode_document(comment)), with(status));
  auto document = encode_document(comment, Members::kept);
  EXPECT_EQ(document_json(document), with(std::string(status) + std::string(kept)));
  EXPECT_EQ(decode_document(document), comment);
  comment.moderation = {.decided = true};
  EXPECT_EQ(document_json(encode_document(comment)), golden_json);
  EXPECT_EQ(document_json(encode_document(comment, Members::moderators)),
            with(R"(,"status":"published")"));
  EXPECT_EQ(document_json(encode_document(comment, Members::kept)), with(R"(,"decided":true)"));
}

TEST(Document, HasAnotherTagInAnotherStatusAndForAnotherReason) {
  auto comment = golden_comment();
  auto tag = [&](Moderation moderation) {
    comment.moderation = std::move(moderation);
    return document_tag(encode_document(comment));
  };
  auto published = tag({});
  EXPECT_EQ(tag({.note = "a note", .decided = true}), published);
  auto pending = tag({.status = CommentStatus::pending});
  EXPECT_NE(pending, published);
  auto rejected = tag({CommentStatus::rejected, "spam"});
  EXPECT_NE(rejected, pending);
  EXPECT_NE(rejected, tag({CommentStatus::rejected, "fake"}));
}

// docs/formats/document.md has these numbers.
TEST(Document, HasItsLanguageAsANumber) {
  auto comment = golden_comment();
  auto number = [&](std::string language) {
    comment.language = std::move(language);
    return encode_document(comment).substr(1, 8);
  };
  EXPECT_EQ(number("en"), std::string("\0\0\x0a\xe0\0\0\0\0", 8));
  EXPECT_EQ(number("zh-Hant"), std::string("\x00\x00\x34\x80\x20\x2e\xa0\x00", 8));
  EXPECT_EQ(number("pt-BR"), std::string("\x00\x00\x21\x40\x00\x00\x04\x52", 8));
  EXPECT_EQ(number("es-419"), std::string("\x00\x00\x0b\x30\x00\x00\x01\xa4", 8));
}

TEST(Document, CarriesTheAnswersJsonAndTheFacetValues) {
  auto document = encode_document(golden_comment());
  EXPECT_EQ(document_json(document), golden_json);
  EXPECT_EQ(document_cell(document), cell("en", 5));
}

TEST(Document, IsReadBackAsTheSameComment) {
  auto comment = golden_comment();
  for (std::string language : {"aa", "en", "und", "zzz", "zh-Hant-TW", "es-419"}) {
    for (int rating = 1; rating <= 5; ++rating) {
      comment.language = language;
      comment.rating = rating;
      auto document = encode_document(comment);
      EXPECT_EQ(decode_document(document), comment);
      EXPECT_EQ(document_cell(document), cell(language, rating));
    }
  }
}

TEST(Document, KeepsEveryCharacterOfItsTexts) {
  auto comment = golden_comment();
  for (int c = 1; c < 128; ++c) comment.text += static_cast<char>(c);
  comment.text += "é€😀\xEF\xBF\xBF\xE2\x80\xA8";
  comment.title = comment.author = comment.product = comment.text;
  EXPECT_EQ(decode_document(encode_document(comment)), comment);
}

TEST(Document, OfAnotherVersionIsNotRead) {
  auto document = encode_document(golden_comment());
  for (int version = 0; version < 256; ++version) {
    document[0] = static_cast<char>(version);
    EXPECT_EQ(decode_document(document).has_value(), version == 1) << version;
  }
}

TEST(Document, CutAnywhereIsNotRead) {
  auto document = encode_document(golden_comment());
  for (std::size_t size = 0; size < document.size(); ++size) {
    EXPECT_FALSE(decode_document(std::string_view(document).substr(0, size))) << size;
  }
}

TEST(Document, TooShortForAHeaderHasNoFacetsAndNoJson) {
  EXPECT_EQ(document_cell("\x02"), Cell{});
  EXPECT_EQ(document_json("\x02"), "null");
  EXPECT_EQ(document_json(golden_header), "null");
}

// The golden document with its JSON changed.
std::optional<Comment> decoded(std::string_view from, std::string_view to) {
  std::string json(golden_json);
  json.replace(json.find(from), from.size(), to);
  return decode_document(std::string(golden_header) + json);
}

TEST(Document, WhoseJsonLacksAFieldOrHasAnotherTypeIsNotRead) {
  EXPECT_TRUE(decoded("Ann", "Bob"));
  for (std::string_view field : {"\"id\"", "\"product\"", "\"language\"", "\"rating\"",
                                 "\"author\"", "\"title\"", "\"text\""}) {
    EXPECT_FALSE(decoded(field, "\"other\"")) << field;
  }
  EXPECT_FALSE(decoded("\"Ann\"", "7"));
  EXPECT_FALSE(decoded(":5", ":\"5\""));
  EXPECT_FALSE(decoded("01JD4", "01JD"));
}

TEST(Document, WhoseHeaderAndJsonDisagreeIsNotRead) {
  EXPECT_FALSE(decoded(":5", ":4"));
  EXPECT_FALSE(decoded(":5", ":0"));
  EXPECT_FALSE(decoded(":5", ":4294967301"));
  EXPECT_FALSE(decoded("\"en\"", "\"de\""));
  EXPECT_FALSE(decoded("\"en\"", "\"EN\""));
}

TEST(DocumentTag, TellsStatesApart) {
  Comment comment{.product = "42", .language = "en", .rating = 5};
  auto tag = document_tag(encode_document(comment));
  EXPECT_EQ(tag, document_tag(encode_document(comment)));
  EXPECT_EQ(tag.size(), 18u);
  EXPECT_EQ(tag.front(), '"');
  EXPECT_EQ(tag.back(), '"');
  for (auto field : {&Comment::author, &Comment::title, &Comment::text}) {
    Comment other = comment;
    other.*field = "x";
    EXPECT_NE(document_tag(encode_document(other)), tag);
  }
}

TEST(JsonString, EscapesTheCharactersWithAMeaningAndNoOthers) {
  for (int c = 0; c < 256; ++c) {
    std::string out;
    append_json_string(out, std::string(1, static_cast<char>(c)));
    bool special = c < 0x20 || c == '"' || c == '\\';
    EXPECT_EQ(out.size() > 3, special) << c;
    if (c < 128) {
      EXPECT_EQ(boost::json::parse(out).as_string(), std::string(1, static_cast<char>(c)));
    }
  }
}

TEST(Document, ThatIsDamagedHasNothing) {
  EXPECT_TRUE(is_damaged(damaged_document()));
  EXPECT_EQ(document_cell(damaged_document()), (Cell{any, any}));
  EXPECT_EQ(document_json(damaged_document()), "null");
  EXPECT_FALSE(decode_document(damaged_document()));
  EXPECT_FALSE(is_damaged(encode_document(golden_comment())));
  EXPECT_FALSE(is_damaged(""));
}

TEST(JsonString, OfAnyLengthIsReadAsItWas) {
  for (std::size_t length = 0; length < 40; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (char special : {'"', '\\', '\n', '\x1f'}) {
        std::string text(length, 'a'), out;
        text[at] = text.back() = special;
        append_json_string(out, text);
        ASSERT_EQ(boost::json::parse(out).as_string(), text) << length << " " << at;
      }
    }
  }
}

TEST(JsonString, IsAppended) {
  std::string out = "x";
  append_json_string(out, "a\nb\tc");
  append_json_string(out, "");
  EXPECT_EQ(out, R"(x"a\nb\tc""")");
}

}  // namespace
}  // namespace quire
