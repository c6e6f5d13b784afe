// Where a value may stand, and that no value changes the markup around it.
#include "http/templates/context.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "http/templates/template.h"

namespace quire::http {
namespace {

// How a value behind this markup is escaped. Absent: it may not stand there.
std::optional<Escape> escape_behind(std::string_view markup) {
  try {
    Context context;
    context.read(markup);
    return context.value();
  } catch (const std::invalid_argument&) {
    return {};
  }
}

TEST(Context, KnowsWhereAValueMayStand) {
  for (auto markup : {"", "a > b", "<p>", "<!doctype html><p class=\"a\">", "<title>", "<br/>",
                      "</p >", "<?xml version=\"1.0\"?>", "<p hidden>", "<p title=\"",
                      "<p title=\"a > b ", "<p  lang=\"", "<p data-a=\"", "<p ARIA-label=\"",
                      "<a href=\"/\" title=\"", "<x:a xml:lang=\"", "<script src=\"/a\"></script>"})
    EXPECT_EQ(escape_behind(markup), Escape::text) << markup;
  for (auto markup : {"<a href=\"", "<A HREF=\"", "<form action=\"", "<script src=\""})
    EXPECT_EQ(escape_behind(markup), Escape::url) << markup;
  for (auto markup : {"<a href=\"/", "<use href=\"#stars-", "<a href=\"https://a/?b="})
    EXPECT_EQ(escape_behind(markup), Escape::url_part) << markup;
  EXPECT_EQ(escape_behind("<script type=\"application/ld+json\">"), Escape::json);
}

TEST(Context, RefusesAValueInAllOtherPlaces) {
  for (auto markup : {"<",
                      "</",
                      "<p",
                      "</p",
                      "<p ",
                      "<p a",
                      "<p title",
                      "<p title=",
                      "<p title=\"\"",
                      "<!doctype ",
                      "<?xml ",
                      "<p style=\"",
                      "<p onclick=\"",
                      "<p ONCLICK=\"",
                      "<a srcset=\"",
                      "<iframe srcdoc=\"",
                      "<p unknown=\"",
                      "<script type=\"",
                      "<script>",
                      "<script type=\"text/javascript\">",
                      "<script type=\"application/ld+json\"><",
                      "<a href=\"javascript:",
                      "<a href=\"data:,",
                      "<link href=\"/\" type=\""})
    EXPECT_EQ(escape_behind(markup), std::nullopt) << markup;
}

TEST(Context, RefusesMarkupThatItDoesNotKnow) {
  for (auto markup :
       {"a < b", "<>", "</>", "<1", "<!-- a -->", "<p title='a'>", "<p title=a>", "<p \"a\">",
        "<p =\"a\">", "<style>", "<xmp>", "<noscript>", "<script>a()</script>", "<script></style>",
        "<meta http-equiv=\"refresh\">"}) {
    EXPECT_THROW(Context().read(markup), std::invalid_argument) << markup;
  }
}

// The structure of markup as a browser reads it: the names of tags and of attributes. Text and
// values count for nothing.
std::vector<std::string> structure(std::string_view markup) {
  std::vector<std::string> out;
  std::size_t at = 0;
  auto is_in = [&](std::string_view set) {
    return at < markup.size() && set.find(markup[at]) != set.npos;
  };
  auto until = [&](std::string_view set) {
    auto begin = at;
    while (at < markup.size() && !is_in(set)) ++at;
    return std::string(markup.substr(begin, at - begin));
  };
  while (at < markup.size()) {
    if (markup[at++] != '<' || !(is_in("/!?") || (at < markup.size() && std::isalpha(markup[at]))))
      continue;
    if (markup.substr(at).starts_with("!--")) {
      out.push_back("comment");
      at = std::min(markup.find("-->", at), markup.size());
      continue;
    }
    auto tag = out.emplace_back(until(" \n>"));
    while (at < markup.size() && markup[at] != '>') {
      while (is_in(" \n/")) ++at;
      auto name = until(" \n/=>");
      if (!name.empty()) out.push_back("  " + name);
      if (!is_in("=")) continue;
      ++at;
      bool quoted = is_in("\"'");
      until(quoted ? markup.substr(at++, 1) : std::string_view(" \n>"));
      at += quoted;
    }
    if (tag == "script") at = std::min(markup.find("</script", at), markup.size());
  }
  return out;
}

constexpr std::string_view markup =
    "<!doctype html>\n<html lang=\"en\">\n<a class=\"b c\" href=\"/d?e=f#g\" rel=\"next\" "
    "hidden>text</a>"
    "<img src=\"/h\"/><p data-i=\"j\">k &amp; l<br></p><script src=\"/m\" defer></script>"
    "<script type=\"application/ld+json\"></script>\n<form action=\"\" onsubmit=\"n()\"></form>";

constexpr std::string_view attacks[] = {"<script>alert(1)</script>",
                                        "\"><b x=\"",
                                        "'><b x='",
                                        "<",
                                        ">",
                                        "\"",
                                        "/><b>",
                                        "--><b>",
                                        "<!--",
                                        "</script><b>",
                                        " onclick=alert(1) ",
                                        "javascript:alert(1)",
                                        "&quot;><b>",
                                        "=",
                                        "a b",
                                        "\\\"><b>",
                                        "\n<b>"};

// With a value at every place of some markup: it is refused, or no text changes the structure.
TEST(Context, NoValueChangesTheMarkup) {
  int accepted = 0;
  for (std::size_t at = 0; at <= markup.size(); ++at) {
    auto text = std::string(markup.substr(0, at)) + "{{X}}" + std::string(markup.substr(at));
    std::optional<Template> page;
    try {
      page = Template::read("page", [&](std::string_view) -> std::string_view { return text; });
    } catch (const std::invalid_argument&) {
      continue;
    }
    ++accepted;
    for (auto attack : attacks) {
      TemplateValues values;
      values.set("X", attack);
      auto out = page->fill(values);
      ASSERT_EQ(structure(out), structure(markup)) << out;
      for (std::string url : {"href", "src", "action"})
        ASSERT_EQ(out.find(url + "=\"javascript:"), out.npos) << out;
    }
  }
  EXPECT_GT(accepted, 40);
  EXPECT_LT(accepted, 70) << "most places are within names and tags";
}

}  // namespace
}  // namespace quire::http
