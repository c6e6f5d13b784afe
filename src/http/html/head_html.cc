#include "http/html/head_html.h"

#include <fmt/format.h>

#include "base/percent.h"
#include "http/html/labels.h"
#include "http/html/pager_html.h"
#include "http/html/summary_html.h"
#include "http/query.h"
#include "model/document.h"
#include "model/ratings.h"

namespace quire::http {
namespace {

// schema.org, as search engines read it.
std::string json_ld(const FoundPage& page, const Query& query, const std::string& address) {
  RatingCounts ratings = ratings_of(page);
  std::string out = R"({"@context":"https://schema.org","@type":"Product","name":)";
  append_json_string_in_html(out, query.product);
  if (!address.empty()) {
    out += R"(,"url":)";
    append_json_string_in_html(out, address);
  }
  out += fmt::format(
      R"(,"aggregateRating":{{"@type":"AggregateRating","ratingValue":{:.2f},"ratingCount":{},"bestRating":5,"worstRating":1}}}})",
      average(ratings), total(ratings));
  return out;
}

}  // namespace

void fill_head(Values& head, const FoundPage& page, const Query& query, const std::string& origin) {
  auto self = "/products/" + percent_encode(query.product);
  bool plain = parameters_of(query).empty() && !query.skip;
  auto canonical = origin + self;
  if (plain && page.number) canonical = origin + numbered_address(self, query, page.number->number);
  if (!origin.empty()) head.set("CANONICAL_HREF", canonical);
  head.set("FEED_HREF", self + "/comments.atom");
  head.set("PREVIOUS_HREF", previous_address(page, query, self));
  head.set("NEXT_HREF", next_address(page, query, self));
  auto all = page.counts.total();
  if (!plain || all == 0) head.show("NOINDEX");
  if (!plain || all == 0) return;
  auto address = origin.empty() ? std::string() : origin + self;
  head.set("JSON_LD", json_ld(page, query, address));
  head.set("DESCRIPTION", fmt::format("{} on {}: {:.1f} out of 5 stars.", counted(all, "comment"),
                                      query.product, average(ratings_of(page))));
}

}  // namespace quire::http
