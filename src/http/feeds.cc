#include "http/feeds.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/percent.h"
#include "http/application.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "http/templates.h"

namespace quire::http {
namespace {

constexpr std::size_t products_a_part = 10'000;  // the format allows 50,000, and 50 MiB
constexpr std::uint64_t sitemap_kept_ms = 60'000;
constexpr std::string_view xml_head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
constexpr std::string_view sitemap_names = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
constexpr std::string_view xml = "application/xml; charset=utf-8";

// XML has no place for two code points that JSON and HTML take: U+FFFE and U+FFFF.
std::string for_xml(std::string text) {
  for (std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (auto at = text.find(none); at != text.npos; at = text.find(none, at))
      text.replace(at, none.size(), "\xEF\xBF\xBD");
  }
  return text;
}

// A name that holds whatever the host is called.
std::string urn(const std::uint8_t* bytes) {
  std::string out = "urn:uuid:";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += fmt::format("{:02x}", bytes[i]);
  }
  return out;
}

void fill_entry(ctemplate::TemplateDictionary& entry, const ShownComment& shown,
                const std::string& origin, const std::string& page) {
  const Comment& comment = shown.comment;
  entry.SetValue("ID", origin.empty() ? urn(comment.id.bytes.data())
                                      : origin + "/v1/comments/" + comment.id.text());
  entry.SetValue(
      "HREF", shown.cut ? origin + comment_address(comment.id) : page + "#c-" + comment.id.text());
  auto stars = std::to_string(comment.rating) + (comment.rating == 1 ? " star" : " stars");
  entry.SetValue("TITLE", for_xml(comment.title.empty() ? stars : stars + ": " + comment.title));
  entry.SetValue("AUTHOR", for_xml(comment.author.empty() ? "Anonymous" : comment.author));
  entry.SetValue("UPDATED", time_text(comment.created_ms()));
  entry.SetValue("TEXT", for_xml(shown.cut ? comment.text + " …" : comment.text));
  entry.SetValue("LANG", comment.language);
}

}  // namespace

Response atom_feed(const std::vector<ShownComment>& comments, const Query& query,
                   const std::string& origin) {
  auto address = origin + "/products/" + percent_encode(query.product);
  ctemplate::TemplateDictionary feed("feed");
  feed.SetValue("TITLE", for_xml("Comments on " + query.product));
  auto self = page_address(address + "/comments.atom", query);
  feed.SetValue("ID", origin.empty() ? urn(sha256({self}).data()) : self);
  feed.SetValue("SELF_HREF", self);
  feed.SetValue("PAGE_HREF", page_address(address, query));
  feed.SetValue("UPDATED", time_text(comments.empty() ? 0 : comments.front().comment.id.ms()));
  for (const auto& shown : comments)
    fill_entry(*feed.AddSectionDictionary("ENTRY"), shown, origin, address);
  return {.type = "application/atom+xml; charset=utf-8",
          .body = fill_template("feed.tpl", feed),
          .caching = origin.empty() ? Caching::none : Caching::revalidate};
}

// Products are percent-encoded and an origin is a scheme and a host: neither has a character that
// XML would have to escape.
Response sitemap_of(const std::vector<std::string>& products, const std::string& origin) {
  std::string out = std::string(xml_head) + "<urlset " + std::string(sitemap_names) + ">\n";
  for (const auto& product : products)
    out += "<url><loc>" + origin + "/products/" + percent_encode(product) + "</loc></url>\n";
  out += "</urlset>\n";
  return {.type = xml, .body = std::move(out), .caching = Caching::revalidate};
}

Response sitemap_index_of(const std::vector<std::string>& parts, const std::string& origin) {
  std::string out = std::string(xml_head) + "<sitemapindex " + std::string(sitemap_names) + ">\n";
  for (const auto& after : parts) {
    // A part has its parameter even at the very beginning, or its address would be the index's.
    out += "<sitemap><loc>" + origin + "/sitemap.xml?after=" + percent_encode(after) +
           "</loc></sitemap>\n";
  }
  out += "</sitemapindex>\n";
  return {.type = xml, .body = std::move(out), .caching = Caching::revalidate};
}

Awaitable<Response> Application::feed(const Request& request, const Captures& captures) {
  auto query = filter_query(request, {"language", "rating"});
  if (!query) co_return problem(query.error());
  query->product = captures[0];
  auto page = co_await comments_.page(*query);
  if (!page) co_return problem(page.error());
  count(*page);
  auto comments = co_await shown_comments(*page);
  co_return atom_feed(comments, *query, origin(request));
}

// The product before the first of each part, in order. Kept for a minute: all products are counted,
// and a stranger may ask at any pace.
Awaitable<Result<Application::SitemapParts>> Application::sitemap_parts() {
  {
    std::lock_guard lock(sitemap_mutex_);
    if (sitemap_parts_ && system_ms() < sitemap_until_ms_) co_return sitemap_parts_;
  }
  auto parts = std::make_shared<std::vector<std::string>>(1);
  for (;;) {
    auto products = co_await comments_.product_names(parts->back(), products_a_part + 1);
    if (!products) co_return products.error();
    if (products->size() <= products_a_part) break;
    parts->push_back(std::move((*products)[products_a_part - 1]));
  }
  std::lock_guard lock(sitemap_mutex_);
  sitemap_parts_ = parts;
  sitemap_until_ms_ = system_ms() + sitemap_kept_ms;
  co_return parts;
}

Awaitable<Response> Application::sitemap(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {"after"})) co_return problem(*error);
  auto origin = this->origin(request);
  if (origin.empty()) {
    co_return problem("not-found",
                      "There is no sitemap for this host: its addresses must be whole. Start the "
                      "server with --public-url, the scheme and host under which it is seen.");
  }
  auto after = parameter(request, "after");
  if (!after) {
    auto parts = co_await sitemap_parts();
    if (!parts) co_return problem(parts.error());
    if ((*parts)->size() > 1) co_return sitemap_index_of(**parts, origin);
  }
  auto products =
      co_await comments_.product_names(std::string(after.value_or("")), products_a_part);
  if (!products) co_return problem(products.error());
  co_return sitemap_of(*products, origin);
}

}  // namespace quire::http
