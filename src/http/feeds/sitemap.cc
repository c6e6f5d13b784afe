#include "http/feeds/sitemap.h"

#include "base/percent.h"

namespace quire::http {
namespace {

constexpr std::string_view xml_head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
constexpr std::string_view sitemap_names = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
constexpr std::string_view xml = "application/xml; charset=utf-8";

}  // namespace

// Nothing here needs XML's escapes: products are percent-encoded, and an origin is scheme and host.
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
    // The first part has an empty parameter, because without it the address is that of the index.
    out += "<sitemap><loc>" + origin + "/sitemap.xml?after=" + percent_encode(after) +
           "</loc></sitemap>\n";
  }
  out += "</sitemapindex>\n";
  return {.type = xml, .body = std::move(out), .caching = Caching::revalidate};
}

}  // namespace quire::http
