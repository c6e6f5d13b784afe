#include "http/feeds/feeds.h"

#include <fmt/format.h>

#include "base/text.h"
#include "quire/ulid.h"

namespace quire::http {
namespace {

constexpr std::string_view xml_head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
constexpr std::string_view sitemap_names = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
constexpr std::string_view xml = "application/xml; charset=utf-8";

}  // namespace

// Nothing here needs XML's escapes: products are percent-encoded, and a root is a URL of plain
// characters.
Response sitemap_of(const std::vector<std::string>& products,
                    const std::vector<std::uint64_t>& newest, const std::string& root) {
  std::string out = std::string(xml_head) + "<urlset " + std::string(sitemap_names) + ">\n";
  for (std::size_t i = 0; i < products.size(); ++i) {
    out += "<url><loc>" + root + "/products/" + percent_encode(products[i]) + "</loc>";
    if (i < newest.size() && newest[i] > 0)
      out += "<lastmod>" + time_text(newest[i]) + "</lastmod>";
    out += "</url>\n";
  }
  out += "</urlset>\n";
  return {.type = xml, .body = std::move(out), .caching = Caching::revalidate};
}

Response sitemap_index_of(const std::vector<std::string>& parts, const std::string& root) {
  std::string out = std::string(xml_head) + "<sitemapindex " + std::string(sitemap_names) + ">\n";
  for (const auto& after : parts) {
    // The first part has an empty parameter, because without it the address is that of the index.
    out += "<sitemap><loc>" + root + "/sitemap.xml?after=" + percent_encode(after) +
           "</loc></sitemap>\n";
  }
  out += "</sitemapindex>\n";
  return {.type = xml, .body = std::move(out), .caching = Caching::revalidate};
}

// Pages under a filter are not left out here: crawlers have to read them to see that they are not
// to be indexed.
Response robots_of(const std::string& root, std::string_view path) {
  std::string out = fmt::format("User-agent: *\nDisallow: {}/v1/\n", path);
  if (!root.empty()) out += "\nSitemap: " + root + "/sitemap.xml\n";
  return {.type = plain_text, .body = std::move(out), .caching = Caching::revalidate};
}

}  // namespace quire::http
