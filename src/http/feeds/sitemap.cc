#include "http/feeds/sitemap.h"

#include "base/percent.h"

namespace quire::http {
namespace {

constexpr std::string_view xml_head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
constexpr std::string_view sitemap_names = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
constexpr std::string_view xml = "application/xml; charset=utf-8";

}  // namespace

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

}  // namespace quire::http
