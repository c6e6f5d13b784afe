// The fast reader finds what a parser of all JSON finds, or nothing.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "model/attributes.h"
#include "model/document.h"

namespace quire {
namespace {

Comment comment_with(const std::string& text) {
  return {.id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value(),
          .product = "42",
          .language = "en",
          .rating = 5,
          .author = text,
          .title = text + text,
          .text = "1" + text,
          .attributes = {{"a", true},
                         {"b", false},
                         {"c", -12},
                         {"d", "x"},
                         {"e", std::vector<std::string>{"y", "z"}},
                         {"f", std::vector<std::string>{}}}};
}

// By Boost.JSON.
std::optional<Comment> parsed(std::string_view json) try {
  auto object = boost::json::parse(json).as_object();
  auto text = [&](std::string_view name) { return std::string(object.at(name).as_string()); };
  Comment comment{.id = Ulid::parse(text("id")).value(),
                  .product = text("product"),
                  .language = text("language"),
                  .rating = static_cast<int>(object.at("rating").as_int64()),
                  .author = text("author"),
                  .title = text("title"),
                  .text = text("text")};
  if (object.contains("attributes"))
    comment.attributes = attributes_of(object.at("attributes")).value();
  return comment;
} catch (const std::exception&) {
  return {};
}

TEST(WrittenComment, IsReadAsItWasWritten) {
  for (std::string text : {"", "plain", "\"\\\n\t", "é€😀", "seven b", "a\\nb", "\x7f"}) {
    auto comment = comment_with(text);
    EXPECT_EQ(written_comment_of(document_json(encode_document(comment))), comment) << text;
    comment.attributes.clear();
    EXPECT_EQ(written_comment_of(document_json(encode_document(comment))), comment) << text;
  }
}

// A reader that searches from each escape to the end takes the square of the time.
TEST(WrittenComment, OfEscapesAloneIsReadOnce) {
  for (char c : {'\n', '\\', '"'}) {
    auto comment = comment_with(std::string(200'000, c));
    EXPECT_EQ(written_comment_of(document_json(encode_document(comment))), comment);
  }
}

// Every byte of every written comment is replaced by every other, left out, and doubled.
TEST(WrittenComment, IsWhatAParserFindsOrNothing) {
  int read = 0;
  for (std::string text : {"", "a\"é\n"}) {
    const std::string json(document_json(encode_document(comment_with(text))));
    auto check = [&](const std::string& changed) {
      auto found = written_comment_of(changed);
      if (!found) return;
      ++read;
      ASSERT_EQ(found, parsed(changed)) << changed;
    };
    for (std::size_t at = 0; at < json.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        auto changed = json;
        changed[at] = static_cast<char>(byte);
        check(changed);
      }
      check(json.substr(0, at));
      check(json.substr(0, at) + json.substr(at + 1));
      check(json.substr(0, at + 1) + json.substr(at));
    }
  }
  EXPECT_GT(read, 5000) << "changes within strings";
}

}  // namespace
}  // namespace quire
