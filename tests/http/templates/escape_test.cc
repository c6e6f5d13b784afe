// Values stay within their place, whatever they are: every short text of the bytes that matter.
#include "http/templates/escape.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/text.h"

namespace quire::http {
namespace {

constexpr std::string_view bytes = "<>&\"'=/\\ :#;jJ-u%\n\xC3";

// Calls `each` with all texts of these bytes, up to a length.
void all_texts(std::size_t length, const std::function<void(const std::string&)>& each,
               const std::string& begin = {}) {
  each(begin);
  if (length == 0) return;
  for (char byte : bytes) all_texts(length - 1, each, begin + byte);
}

std::string escaped(std::string_view value, Escape escape) {
  Output text;
  text.append("before ");
  append_escaped(text, value, escape);
  auto out = std::move(text).take();
  EXPECT_TRUE(out.starts_with("before "));
  return out.substr(7);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// What a browser reads, where no other reference stands.
std::string read_html(std::string text) {
  text = replaced(text, "&lt;", "<");
  text = replaced(text, "&gt;", ">");
  text = replaced(text, "&quot;", "\"");
  text = replaced(text, "&#39;", "'");
  return replaced(text, "&amp;", "&");
}

std::string read_json(std::string text) {
  text = replaced(text, "\\u003c", "<");
  text = replaced(text, "\\u003e", ">");
  return replaced(text, "\\u0026", "&");
}

TEST(Escape, ATextIsReadAsItWas) {
  all_texts(4, [](const std::string& value) {
    auto out = escaped(value, Escape::text);
    ASSERT_EQ(out.find_first_of("<>\"'"), out.npos) << value;
    ASSERT_EQ(read_html(out), value);
  });
}

TEST(Escape, ALongTextIsReadAsItWas) {
  for (std::size_t length = 0; length < 70; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (char byte : bytes) {
        std::string value(length, 'a');
        value[at] = byte;
        for (auto other : {at, length - 1 - at}) {
          value[other] = byte;
          auto out = escaped(value, Escape::text);
          ASSERT_EQ(out.find_first_of("<>\"'"), out.npos) << value;
          ASSERT_EQ(read_html(out), value);
          auto json = escaped(value, Escape::json);
          ASSERT_EQ(json.find_first_of("<>&"), json.npos) << value;
          ASSERT_EQ(read_json(json), value);
        }
      }
    }
  }
}

TEST(Escape, APartOfAUrlIsReadAsItWas) {
  all_texts(3, [](const std::string& value) {
    auto out = escaped(value, Escape::url_part);
    ASSERT_EQ(out.find_first_of("<>\"'&:/?# \\"), out.npos) << value;
    ASSERT_EQ(percent_decode(out), value);
  });
}

TEST(Escape, AUrlWithAColonBeforeItsPathIsNoLink) {
  all_texts(4, [](const std::string& value) {
    auto out = escaped(value, Escape::url);
    ASSERT_EQ(out.find_first_of("<>\"'"), out.npos) << value;
    auto end = value.find_first_of(":/?#");
    bool has_scheme = end != value.npos && value[end] == ':';
    ASSERT_EQ(read_html(out), has_scheme ? "#" : value);
  });
}

TEST(Escape, OnlyTheWebIsFollowed) {
  for (auto url : {"http://a", "HTTPS://a", "/a:b", "?a:b", "#a:b", "a/b:c", "//a:1", "", "a"})
    EXPECT_TRUE(may_be_followed(url)) << url;
  for (auto url :
       {"javascript:a", "JaVaScRiPt:a", " javascript:a", "java\nscript:a", "\x01javascript:a",
        "data:text/html,a", "vbscript:a", ":a", "http :a", "httpx:a", "HTTP\x80:a"})
    EXPECT_FALSE(may_be_followed(url)) << url;
}

TEST(Escape, JsonStaysTheSameJson) {
  EXPECT_EQ(escaped(R"({"a":"</script><!-- & \u003c"})", Escape::json),
            R"({"a":"\u003c/script\u003e\u003c!-- \u0026 \u003c"})");
  all_texts(3, [](const std::string& value) {
    auto out = escaped(value, Escape::json);
    ASSERT_EQ(out.find_first_of("<>&"), out.npos) << value;
    ASSERT_EQ(read_json(out), value);
  });
}

}  // namespace
}  // namespace quire::http
