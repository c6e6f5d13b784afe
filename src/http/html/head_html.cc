#include "http/html/parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "http/query.h"
#include "model/counts.h"
#include "model/document.h"

namespace quire::http {
namespace {

// Appends a member of an object, unless its text is empty.
void append_text(std::string& out, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  out.append(",\"").append(name).append("\":");
  append_json_string(out, text);
}

// The shop's reply, as a comment on the review.
void append_reply_of(std::string& out, const Reply& reply, const Zone& zone) {
  out += R"(,"comment":{"@type":"Comment")";
  if (!reply.author.empty()) {
    out += R"(,"author":{"@type":"Organization")";
    append_text(out, "name", reply.author);
    out += '}';
  }
  append_text(out, "datePublished", zone.time_text(reply.created_ms));
  append_text(out, "text", reply.text);
  out += '}';
}

// A rating is of 1 to 5 where it does not say otherwise.
void append_review(std::string& out, const Comment& comment, const Zone& zone) {
  out += R"({"@type":"Review","reviewRating":{"@type":"Rating","ratingValue":)";
  out += static_cast<char>('0' + comment.rating);
  out += R"(},"author":{"@type":"Person")";
  append_text(out, "name", comment.author.empty() ? "Anonymous" : comment.author);
  out += '}';
  append_text(out, "datePublished", zone.time_text(comment.created_ms()));
  if (comment.language != "und") append_text(out, "inLanguage", comment.language);
  append_text(out, "name", comment.title);
  append_text(out, "reviewBody", comment.text);
  for (const auto& picture : comment.media) {
    out += &picture == comment.media.data() ? ",\"image\":[" : ",";
    append_json_string(out, picture.url);
  }
  if (!comment.media.empty()) out += ']';
  if (comment.reply) append_reply_of(out, *comment.reply, zone);
  out += '}';
}

// One value as a text, several as an array.
void append_texts(std::string& out, std::string_view name, const std::vector<std::string>& values) {
  if (values.size() == 1) return append_text(out, name, values.front());
  if (values.empty()) return;
  out.append(",\"").append(name).append("\":");
  for (const auto& value : values) {
    out += &value == values.data() ? '[' : ',';
    append_json_string(out, value);
  }
  out += ']';
}

void append_product(std::string& out, const ShownPage& page, const std::string& url) {
  append_text(out, "name", page.name());
  append_text(out, "url", url);
  if (!page.facts) return;
  const auto& facts = *page.facts;
  append_text(out, "image", facts.image);
  if (!facts.brand.empty()) {
    out += R"(,"brand":{"@type":"Brand")";
    append_text(out, "name", facts.brand);
    out += '}';
  }
  append_texts(out, "gtin", facts.gtin);
  append_texts(out, "mpn", facts.mpn);
  append_texts(out, "sku", facts.sku);
}

// Search engines show a few reviews at most. All of them would be a copy of the page.
std::span<const ShownComment> first_of(const ShownPage& page) {
  constexpr std::size_t max_reviews = 3;
  return std::span(page.comments).first(std::min(page.comments.size(), max_reviews));
}

// schema.org, as search engines read it: the product, and the first comments of this page.
std::string json_ld(const ShownPage& page, const std::string& url) {
  RatingCounts ratings = ratings_of(page.found.counts);
  std::size_t size = 512;
  for (const auto& [comment, cut] : first_of(page))
    size += 256 + comment.author.size() + comment.title.size() + comment.text.size();
  std::string out;
  out.reserve(size);
  out += R"({"@context":"https://schema.org","@type":"Product")";
  append_product(out, page, url);
  out += fmt::format(
      R"(,"aggregateRating":{{"@type":"AggregateRating","ratingValue":{:.2f},"ratingCount":{},"bestRating":5,"worstRating":1}})",
      average(ratings), total(ratings));
  out += R"(,"review":[)";
  for (const auto& [comment, cut] : first_of(page)) {
    if (out.back() != '[') out += ',';
    append_review(out, comment, *page.zone);
  }
  out += "]}";
  return out;
}

}  // namespace

void fill_head(Values& head, const ShownPage& shown, const std::string& root,
               const std::string& product_url) {
  Query query = shown.query;
  if (shown.own_language) query.languages.clear();  // the address asks for none
  const FoundPage& page = shown.found;
  const auto& links = shown.links;
  bool plain = parameters_of(query).empty() && !query.skip && shown.opened.empty();
  // Without its path, which the root has already.
  auto address = root.empty() ? std::string() : root + links.self.substr(links.path.size());
  auto canonical = address;
  if (plain && page.number) canonical = numbered_address(address, query, page.number->number);
  if (!root.empty()) head.set("CANONICAL_HREF", canonical);
  head.set("PREVIOUS_HREF", previous_address(shown));
  head.set("NEXT_HREF", next_address(shown));
  auto all = page.counts.total();
  bool unknown = page.counts.known && all == 0 && !shown.facts;
  if (!unknown) head.set("FEED_HREF", links.self + "/comments.atom");
  if (!plain || unknown) head.show("NOINDEX");
  if (!plain || all == 0) return;
  head.set("JSON_LD", json_ld(shown, product_url.empty() ? address : product_url));
  const auto& texts = *shown.texts;
  head.set("DESCRIPTION",
           texts.with("description",
                      {{"COMMENTS", texts.counted("comments", all)},
                       {"PRODUCT", shown.name()},
                       {"AVERAGE", texts.forms().decimal(average(ratings_of(page.counts)))}}));
}

void fill_fragment(Values& out, const ShownPage& shown, const Fragment& fragment,
                   const std::string& product_url) {
  auto& section = out.add("FRAGMENT");
  const auto& base = fragment.links.base;
  bool empty = shown.found.counts.total() == 0;
  // Where neither is known, the data names no page of the product.
  auto url = product_url.empty() && !base.starts_with('/') ? base : product_url;
  if (fragment.structured && !empty) section.set("JSON_LD", json_ld(shown, url));
}

}  // namespace quire::http
