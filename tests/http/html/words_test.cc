// The words that were asked for, on the web page.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/zone.h"
#include "http/html/page_links.h"
#include "http/html/parts.h"
#include "http/query.h"
#include "http/templates/template.h"
#include "http/templates/values.h"
#include "model/counts.h"
#include "model/facets.h"
#include "texts/languages.h"

namespace quire::http {
namespace {

const Query zipper{.product = "42", .ratings = {5}, .words = "ZIPPER"};

std::string page_of(const Query& query, std::vector<ShownComment> comments,
                    std::vector<Easier> easier = {}, bool searchable = true) {
  auto texts = texts::Languages::built_in().find("en");
  FoundPage found;
  Cell of_five{};
  of_five[rating_facet] = 5;
  found.counts.add(of_five, 7);
  found.total = comments.size();
  for (const auto& each : comments) found.rows.push_back({each.comment.id, {}});
  Zone utc;
  const std::vector<FacetStatus> facets;
  ShownWords words{searchable, FoundWords(query.words)};
  TemplateValues values;
  values.show("PAGE");
  fill_comments(values, {query,
                         found,
                         comments,
                         facets,
                         {},
                         links_of("", "42"),
                         texts.get(),
                         &utc,
                         nullptr,
                         nullptr,
                         {},
                         false,
                         &words,
                         &easier});
  return Templates(*texts).fill("comments.tpl", values);
}

ShownComment comment(std::string title, std::string text) {
  Comment out;
  out.product = "42";
  out.language = "en";
  out.rating = 5;
  out.title = std::move(title);
  out.text = std::move(text);
  return {std::move(out)};
}

bool has(const std::string& page, std::string_view part) {
  return page.find(part) != page.npos;
}

TEST(Words, AreMarkedInTitleAndText) {
  auto page = page_of(zipper, {comment("Zippers", "A <b> é zipper, and zippers & more")});
  EXPECT_TRUE(has(page, "><mark>Zippers</mark></h3>")) << page;
  EXPECT_TRUE(
      has(page, ">A &lt;b&gt; é <mark>zipper</mark>, and <mark>zippers</mark> &amp; more<"));
}

TEST(Words, OfTextsThatHaveNoneAreNotMarked) {
  auto page = page_of(zipper, {comment("Zipper", "It broke.")});
  EXPECT_TRUE(has(page, ">It broke.</div>"));
  page = page_of({.product = "42"}, {comment("Zipper", "It broke.")});
  EXPECT_FALSE(has(page, "<mark>"));
}

TEST(Words, HaveAFieldWhereTheyCanBeAskedFor) {
  auto field = "<input id=\"q\" type=\"search\" name=\"q\" form=\"filters\" value=\"ZIPPER\"";
  EXPECT_TRUE(has(page_of(zipper, {}), field));
  EXPECT_FALSE(has(page_of({.product = "42"}, {}, {}, false), "name=\"q\""));
}

TEST(Words, AreAConditionThatCanBeTakenBack) {
  auto page = page_of(zipper, {comment("Zipper", "")});
  EXPECT_TRUE(has(page, "<bdi>“ZIPPER”</bdi>"));
  EXPECT_TRUE(has(page, "href=\"/products/42?rating=5\"")) << "without words";
  EXPECT_TRUE(has(page, "href=\"/products/42?q=ZIPPER\"")) << "without the rating";
  EXPECT_TRUE(has(page, "<title>Reviews of 42 – 5 stars, “ZIPPER” – </title>"));
}

TEST(Words, ThatNoCommentHasOfferEachAlone) {
  Query query{.product = "42", .words = "zipper <b"};
  auto asked = easier_than(query, {"zipper", "<b"});
  ASSERT_EQ(asked.size(), 2u);
  asked[0].comments = 1204;
  asked[1].comments = 1;
  auto page = page_of(query, {}, asked);
  EXPECT_TRUE(has(page, "<p class=\"empty-title\">No review has all of these words.</p>"));
  EXPECT_TRUE(has(page, "href=\"/products/42?q=zipper\"><bdi>zipper</bdi> <small>1,204</small>"));
  EXPECT_TRUE(has(page, "href=\"/products/42?q=%3Cb\"><bdi>&lt;b</bdi> <small>1</small>"));
  EXPECT_TRUE(has(page, "<a href=\"/products/42\">See all reviews</a>"));
  query.ratings = {5};
  EXPECT_TRUE(has(page_of(query, {}), "No review matches these filters."));
}

TEST(Easier, LeavesOutTheConditionsOfOneNameWhereThereAreOthers) {
  EXPECT_TRUE(easier_than({.product = "42"}, {}).empty());
  EXPECT_TRUE(easier_than({.product = "42", .ratings = {1, 2}}, {}).empty()) << "all is left";
  Query query{.product = "42", .languages = {"de"}, .ratings = {1, 2}, .limit = 5, .words = "zip"};
  query.page = 3;
  auto asked = easier_than(query, {"zip"});
  ASSERT_EQ(asked.size(), 3u);
  std::string addresses;
  for (auto& each : asked) {
    addresses += each.left_out + page_address("", each.query) + " ";
    each.comments = 12;
  }
  EXPECT_EQ(addresses,
            "language?rating=1&rating=2&q=zip&limit=5 rating?language=de&q=zip&limit=5 "
            "q?language=de&rating=1&rating=2&limit=5 ");
  auto page = page_of(query, {}, asked);
  EXPECT_TRUE(has(page, "<bdi>Without 1 star / 2 stars</bdi> <small>12</small>")) << page;
  EXPECT_TRUE(has(page, "<bdi>Without “zip”</bdi> <small>12</small>"));
  EXPECT_FALSE(has(page, "Each word alone"));
}

TEST(Easier, IsBoundedInWordsAndInConditions) {
  Query query{.product = "42", .words = "all"};
  for (char name = 'a'; name <= 'l'; ++name)
    query.facets.push_back({.facet = std::string(1, name), .any_of = {"x"}});
  auto asked = easier_than(query, std::vector<std::string>(9, "word"));
  EXPECT_EQ(asked.size(), 16u);
}

}  // namespace
}  // namespace quire::http
