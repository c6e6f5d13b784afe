// What templates put out, and which are refused.
#include "http/templates/template.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <stdexcept>

#include "texts/languages.h"

namespace quire::http {
namespace {

using Files = std::map<std::string, std::string, std::less<>>;

Template read(const Files& files) {
  return Template::read("page", [&](std::string_view name) -> std::string_view {
    auto found = files.find(name);
    if (found == files.end()) throw std::invalid_argument("no such file");
    return found->second;
  });
}

std::string filled(const std::string& text, const Values& values) {
  return read({{"page", text}}).fill(values);
}

// Why the template is refused; empty: it is not.
std::string refusal(const Files& files) {
  try {
    read(files);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Template, PutsTextsIntoTheirPlaces) {
  TemplateValues values;
  values.set("A", "one & two");
  values.set("N", 42u);
  values.set("LEAST", std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(filled("<p>{{A}}, {{N}}, {{NONE}}, {{A}}</p>", values),
            "<p>one &amp; two, 42, , one &amp; two</p>");
  EXPECT_EQ(filled("{{LEAST}}", values), "-9223372036854775808");
  values.set("A", "three");
  EXPECT_EQ(filled("{{A}}", values), "three") << "the latest counts";
  EXPECT_EQ(filled("", values), "");
}

TEST(Template, ASectionOfATextShowsItIfThereIsAny) {
  TemplateValues values;
  values.set("A", "a");
  values.set("EMPTY", "");
  values.show("SHOWN");
  EXPECT_EQ(
      filled("{{#A}}[{{A}}]{{/A}}{{#EMPTY}}no{{/EMPTY}}{{#NONE}}no{{/NONE}}{{#SHOWN}}!{{/SHOWN}}",
             values),
      "[a]!");
}

TEST(Template, ASectionIsRepeatedForItsRows) {
  TemplateValues values;
  values.set("A", "outer");
  for (int i = 1; i <= 3; ++i) {
    auto& row = values.add("ROW");
    row.set("I", i);
    if (i == 2) row.set("A", "own");
    if (i == 3) row.set("A", "");
    for (int j = 1; j < i; ++j) row.add("PART").set("J", j);
  }
  EXPECT_EQ(
      filled("{{#ROW}}{{I}}{{A}}{{#A}}+{{/A}}({{#PART}}{{J}}{{I}} {{/PART}}){{/ROW}}{{I}}", values),
      "1outer+()2own+(12 )3(13 23 )")
      << "a row sees the values around it, but for its own";
  EXPECT_EQ(filled("{{#PART}}no{{/PART}}{{#ROW}}{{#ROW}}{{I}}{{/ROW}}-{{/ROW}}", values),
            "123-123-123-")
      << "from outside nothing of a row is seen";
}

TEST(Template, ALineWithAMarkerAloneIsNoLine) {
  TemplateValues values;
  values.set("A", "a");
  EXPECT_EQ(filled("1\n  {{#A}}\n2\n{{/A}} \t\n{{! a comment\nof {{two lines }}\n3", values),
            "1\n2\n3");
  EXPECT_EQ(filled("1\n {{A}}\n{{#A}} 2 {{/A}}\n", values), "1\n a\n 2 \n");
  EXPECT_EQ(filled("{{#A}}{{/A}}\n1", values), "\n1");
}

TEST(Template, AnIncludedFileSeesTheSameValuesAndItsPlace) {
  TemplateValues values;
  values.add("ROW").set("A", "a:<b>");
  auto page = read(
      {{"page", "{{#ROW}}\n<a href=\"{{>value}}\" title=\"{{>value}}\">\n  {{>value}}\n{{/ROW}}"},
       {"value", "{{A}}"}});
  EXPECT_EQ(page.fill(values), "<a href=\"#\" title=\"a:&lt;b&gt;\">\na:&lt;b&gt;");
}

TEST(Template, AnErrorHasItsPlace) {
  auto one = [](const std::string& text) { return refusal({{"page", text}}); };
  EXPECT_EQ(one("a\n{{A"), "page:1: }} is missing");
  EXPECT_EQ(one("a\n{{#A}}b\n"), "page:3: A is not closed");
  EXPECT_EQ(one("{{#A}}\n{{#B}}{{/A}}"), "page:2: A is closed, but was not opened last");
  EXPECT_EQ(one("{{/A}}"), "page:1: A is closed, but was not opened last");
  EXPECT_EQ(one("\n\n{{a}}"), "page:3: \"a\" is no name: write capital letters");
  EXPECT_EQ(one("{{}}"), "page:1: \"\" is no name: write capital letters");
  EXPECT_EQ(one("<p\n"), "page:2: it ends amid a tag");
  EXPECT_EQ(one("<p>\n<b onclick=\"{{A}}\">"), "page:2: no value may stand here, in onclick");
  EXPECT_EQ(refusal({{"page", "\n{{>part}}"}, {"part", "{{#A}}"}}),
            "page:2: part:1: A is not closed");
  EXPECT_NE(refusal({{"page", "{{>page}}"}}).find("the files include each other"),
            std::string::npos);
  EXPECT_EQ(one("{{>none}}"), "page:1: no such file");
}

TEST(Template, BothWaysAroundASectionLeadToTheSamePlace) {
  auto refused = [](const std::string& text) { return !refusal({{"page", text}}).empty(); };
  EXPECT_FALSE(refused("<a{{#A}} href=\"{{A}}\"{{/A}}>"));
  EXPECT_FALSE(refused("<a class=\"b{{#A}} c{{/A}}\">"));
  EXPECT_FALSE(refused("<a{{#A}} hidden{{/A}}>"));
  EXPECT_FALSE(refused("<a{{#A}} hidden{{/A}}{{#B}} title=\"{{B}}\"{{/B}}>"));
  EXPECT_TRUE(refused("<a{{#A}} on{{/A}}click=\"{{B}}\">"));
  EXPECT_TRUE(refused("<a{{#A}} hidden{{/A}}=\"{{B}}\">"));
  EXPECT_TRUE(refused("<a{{#A}}b{{/A}}>"));
  EXPECT_TRUE(refused("<a {{#A}}href=\"{{/A}}{{B}}\">"));
  EXPECT_TRUE(refused("<a{{#A}}>{{/A}}"));
  EXPECT_TRUE(refused("{{#A}}<script type=\"application/ld+json\">{{/A}}{{B}}</script>"));
  EXPECT_TRUE(refused("<a href=\"{{#A}}/b/{{/A}}{{B}}\">")) << "the beginning of a URL, or not";
}

TEST(Templates, OfTheBinaryAreRead) {
  for (const auto& [tag, texts] : texts::Languages::built_in().all()) {
    EXPECT_NE(
        Templates(*texts).fill("products.tpl", TemplateValues()).find("<!doctype html>\n<html"),
        std::string::npos)
        << tag;
  }
}

// A text with values, in a file of texts for these tests.
TEST(Template, HasTextsWhoseValuesAreEscapedAndIsolated) {
  auto texts = texts::Texts::read("en.toml", "en", "a = \"<b> {B} & {C}\"\n", nullptr).value();
  auto page = [&](std::string_view text) {
    auto read = Template::read(
        "page", [&](std::string_view) { return text; }, texts.get());
    TemplateValues values;
    values.set("B", "\"1\"");
    return read.fill(values);
  };
  EXPECT_EQ(page("<p>{{:a}}</p>"), "<p>&lt;b&gt; <bdi>&quot;1&quot;</bdi> &amp; <bdi></bdi></p>");
  EXPECT_EQ(page("<p title=\"{{:a}}\">"), "<p title=\"&lt;b&gt; &quot;1&quot; &amp; \">");
  EXPECT_THROW(page("{{:b}}"), std::invalid_argument);
  EXPECT_THROW(page("<a href=\"{{:a}}\">"), std::invalid_argument);
}

}  // namespace
}  // namespace quire::http
