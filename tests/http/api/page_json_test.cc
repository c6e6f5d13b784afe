// The JSON of a page, byte for byte, because clients and caches see each change.
#include "http/api/json.h"

#include <gtest/gtest.h>

#include "loop/loop.h"
#include "model/document.h"

namespace quire::http {
namespace {

// Documents live as long as the fixture.
class PageJson : public testing::Test {
 protected:
  PageJson() {
    add({Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D2EF").value(), "42", "en", 5, "Ann", "Fits", "Well."});
    add({Ulid::parse("01JD5ZK3V7Q6W3N0A9B7C5D2EF").value(), "42", "und", 1, "", "",
         "\"No\"\n</p>\xC3\xA9"});
  }

  void add(const Comment& comment) { documents_.push_back(encode_document(comment)); }

  FoundPage page() const {
    FoundPage out;
    for (const auto& document : documents_) {
      out.rows.push_back({decode_document(document).value().id, document});
    }
    out.total = 2331;
    return out;
  }

  std::vector<std::string> documents_;
};

std::string json_of(const FoundPage& page, const Query& query) {
  return wait(page_json(page, query));
}

constexpr std::string_view first =
    R"({"id":"01JD5ZK3V8Q6W3N0A9B7C5D2EF","product":"42","language":"en","rating":5,)"
    R"("created_at":"2024-11-20T23:47:46.664Z","author":"Ann","title":"Fits","text":"Well."})";
constexpr std::string_view second =
    R"({"id":"01JD5ZK3V7Q6W3N0A9B7C5D2EF","product":"42","language":"und","rating":1,)"
    R"("created_at":"2024-11-20T23:47:46.663Z","author":"","title":"",)"
    R"("text":"\"No\"\n</p>)"
    "\xC3\xA9\"}";

TEST_F(PageJson, InTheMiddleHasBothCursors) {
  auto middle = page();
  middle.next = "NEXT-_";
  middle.previous = "PREVIOUS";
  EXPECT_EQ(json_of(middle, {.product = "42", .limit = 2}),
            R"({"comments":[)" + std::string(first) + "," + std::string(second) +
                R"(],"page":{"size":2,"has_next":true,"has_previous":true,"next":"NEXT-_",)"
                R"("previous":"PREVIOUS"},"total":2331})");
}

TEST_F(PageJson, SaysWhereTheWordsAreThatWereAskedFor) {
  auto marked = [](std::string_view comment, std::string_view matches) {
    return std::string(comment.substr(0, comment.size() - 1)).append(matches);
  };
  EXPECT_EQ(json_of(page(), {.product = "42", .words = "no FIT well é"}),
            R"({"comments":[)" + marked(first, R"(,"matches":{"title":[[0,4]],"text":[[0,4]]}},)") +
                marked(second, R"(,"matches":{"title":[],"text":[[1,3],[9,10]]}})") +
                R"(],"page":{"size":20,"has_next":false,"has_previous":false},"total":2331})");
}

TEST_F(PageJson, SaysItsNumberWhereThereIsAPageIndex) {
  FoundPage numbered{.total = 0};
  numbered.number = PageNumber{3, 117};
  EXPECT_EQ(json_of(numbered, {.product = "42"}),
            R"({"comments":[],"page":{"number":3,"count":117,"size":20,"has_next":false,)"
            R"("has_previous":false},"total":0})");
}

TEST_F(PageJson, SaysWhyItsNumberIsMissing) {
  FoundPage unnumbered{.total = 0};
  unnumbered.numbers_missing = "The page \"index\" is away.";
  EXPECT_EQ(json_of(unnumbered, {.product = "42"}),
            R"({"comments":[],"page":{"numbers_missing":"The page \"index\" is away.","size":20,)"
            R"("has_next":false,"has_previous":false},"total":0})");
}

TEST_F(PageJson, AtTheEndsHasNoCursorThere) {
  documents_.pop_back();
  EXPECT_EQ(json_of(page(), {.product = "42"}),
            R"({"comments":[)" + std::string(first) +
                R"(],"page":{"size":20,"has_next":false,"has_previous":false},"total":2331})");
}

TEST_F(PageJson, WithoutCommentsIsStillAPage) {
  EXPECT_EQ(json_of({.total = 0}, {.product = "none"}),
            R"({"comments":[],"page":{"size":20,"has_next":false,"has_previous":false},)"
            R"("total":0})");
}

TEST_F(PageJson, HasNoTotalWhereNoIndexCountsTheFilter) {
  EXPECT_EQ(json_of({}, {.product = "42"}),
            R"({"comments":[],"page":{"size":20,"has_next":false,"has_previous":false}})");
}

TEST_F(PageJson, HasCountsWhenAsked) {
  FoundPage counted{.total = 2};
  counted.facets = {{"size", FacetType::choice, {{"L", 2}}}, {"pages", FacetType::number}};
  EXPECT_EQ(json_of(counted, {.product = "42", .counts = true}),
            R"({"comments":[],"page":{"size":20,"has_next":false,"has_previous":false},"total":2,)"
            R"("facets":{"size":{"L":2},"pages":{}}})");
  counted.facets_missing = "No index counts them.";
  EXPECT_EQ(json_of(counted, {.product = "42", .counts = true}),
            R"({"comments":[],"page":{"size":20,"has_next":false,"has_previous":false},"total":2,)"
            R"("facets":{"size":{"L":2},"pages":{}},"facets_missing":"No index counts them."})");
  EXPECT_EQ(json_of({.total = 0}, {.product = "42", .counts = true}),
            R"({"comments":[],"page":{"size":20,"has_next":false,"has_previous":false},"total":0,)"
            R"("facets":{}})");
}

TEST_F(PageJson, ExplainsItselfWhenAsked) {
  FoundPage explained{.total = 0};
  explained.explanation =
      Explanation{.index = "byRating",
                  .lists = {"PRODUCT#42/4", "PRODUCT#42/5"},
                  .skipped = {"PRODUCT#42/1"},
                  .residual = {},
                  .summary = "byRating: 2 lists",
                  .start = {{"PRODUCT#42/4", R"({"k":1})"}, {"PRODUCT#42/5", ""}},
                  .estimated_cost = 8.5,
                  .read = 22,
                  .discarded = 1,
                  .requests = 2,
                  .consumed_capacity = 0,
                  .alternatives = {{"all", 9.25}},
                  .blocks = 34,
                  .blocks_skipped = 3,
                  .totals_kept = true,
                  .microseconds = 312};
  EXPECT_EQ(json_of(explained, {.product = "42"}),
            R"({"comments":[],"page":{"size":20,"has_next":false,"has_previous":false},"total":0,)"
            R"("plan":{"index":"byRating","lists":["PRODUCT#42/4","PRODUCT#42/5"],)"
            R"("residual":null,"skipped":["PRODUCT#42/1"],"summary":"byRating: 2 lists",)"
            R"("start":{"PRODUCT#42/4":{"k":1},"PRODUCT#42/5":null},"estimated_cost":8.5,)"
            R"("read":22,"discarded":1,"requests":2,"consumed_capacity":0,)"
            R"("alternatives":[{"summary":"all","estimated_cost":9.25}],"blocks":34,)"
            R"("blocks_skipped":3,"totals_kept":true,"microseconds":312}})");
  explained.explanation->estimated_cost = 0.38;
  EXPECT_NE(json_of(explained, {.product = "42"}).find(R"("estimated_cost":0.38,)"),
            std::string::npos);
  explained.explanation->residual = "rating 4 5";
  EXPECT_NE(json_of(explained, {.product = "42"}).find(R"("residual":"rating 4 5")"),
            std::string::npos);
}

}  // namespace
}  // namespace quire::http
