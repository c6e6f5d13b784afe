#include "http/feeds.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/percent.h"
#include "http/application.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "http/templates.h"
#include "model/document.h"

namespace quire::http {
namespace {

constexpr std::size_t pages_a_part = 10'000;  // the format allows 50,000, and 50 MiB
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

void fill_entry(ctemplate::TemplateDictionary& entry, const Comment& comment,
                const std::string& origin, const std::string& page) {
  entry.SetValue("ID", origin.empty() ? urn(comment.id.bytes.data())
                                      : origin + "/v1/comments/" + comment.id.text());
  entry.SetValue("HREF", page + "#c-" + comment.id.text());
  auto stars = std::to_string(comment.rating) + (comment.rating == 1 ? " star" : " stars");
  entry.SetValue("TITLE", for_xml(comment.title.empty() ? stars : stars + ": " + comment.title));
  entry.SetValue("AUTHOR", for_xml(comment.author.empty() ? "Anonymous" : comment.author));
  entry.SetValue("UPDATED", time_text(comment.created_ms()));
  entry.SetValue("TEXT", for_xml(comment.text));
  entry.SetValue("LANG", comment.language);
}

}  // namespace

Response atom_feed(const FoundPage& page, const Query& query, const std::string& origin) {
  auto address = origin + "/products/" + percent_encode(query.product);
  ctemplate::TemplateDictionary feed("feed");
  feed.SetValue("TITLE", for_xml("Comments on " + query.product));
  auto self = page_address(address + "/comments.atom", query);
  feed.SetValue("ID", origin.empty() ? urn(sha256({self}).data()) : self);
  feed.SetValue("SELF_HREF", self);
  feed.SetValue("PAGE_HREF", page_address(address, query));
  feed.SetValue("UPDATED", time_text(page.rows.empty() ? 0 : page.rows.front().id.ms()));
  for (const auto& row : page.rows) {
    if (auto comment = decode_document(row.document))
      fill_entry(*feed.AddSectionDictionary("ENTRY"), *comment, origin, address);
  }
  return {.type = "application/atom+xml; charset=utf-8",
          .body = fill_template("feed.tpl", feed),
          .caching = origin.empty() ? Caching::none : Caching::revalidate};
}

Response sitemap_of_pages(const std::vector<std::string>& products, const std::string& origin) {
  ctemplate::TemplateDictionary map("sitemap");
  auto* pages = map.AddSectionDictionary("PAGES");
  for (const auto& product : products) {
    pages->AddSectionDictionary("PAGE")->SetValue("HREF",
                                                  origin + "/products/" + percent_encode(product));
  }
  return {.type = xml, .body = fill_template("sitemap.tpl", map), .caching = Caching::revalidate};
}

Response sitemap_of_parts(const std::vector<std::string>& after, const std::string& origin) {
  ctemplate::TemplateDictionary map("sitemap");
  auto* parts = map.AddSectionDictionary("PARTS");
  for (const auto& product : after) {
    // A part has its parameter even at the very beginning, or it would be this index.
    parts->AddSectionDictionary("PART")->SetValue(
        "HREF", origin + "/sitemap.xml?after=" + percent_encode(product));
  }
  return {.type = xml, .body = fill_template("sitemap.tpl", map), .caching = Caching::revalidate};
}

Awaitable<Response> Application::feed(const Request& request, const Captures& captures) {
  auto query = filter_query(request, {"language", "rating"});
  if (!query) co_return problem(query.error());
  query->product = captures[0];
  auto page = co_await comments_.page(*query);
  if (!page) co_return problem(page.error());
  count(*page);
  Response response = atom_feed(*page, *query, origin(request));
  co_return response;
}

Awaitable<Response> Application::sitemap(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {"after"})) co_return problem(*error);
  auto origin = this->origin(request);
  if (origin.empty()) {
    co_return problem("not-found",
                      "There is no sitemap for this host: its addresses must be whole. Start the "
                      "server with --public-url, the scheme and host under which it is seen.");
  }
  auto given = parameter(request, "after");
  std::string place(given.value_or(""));
  std::vector<std::string> parts, names;
  for (;;) {
    auto products = co_await comments_.product_names(place, pages_a_part);
    if (!products) co_return problem(products.error());
    bool more = products->size() == pages_a_part;
    if (given || (parts.empty() && !more)) {
      names = std::move(*products);
      break;
    }
    if (!products->empty()) parts.push_back(place);
    if (!more) break;
    place = products->back();
    // Other requests have their turn between the parts.
    co_await boost::asio::post(co_await boost::asio::this_coro::executor,
                               boost::asio::use_awaitable);
  }
  Response response =
      parts.empty() ? sitemap_of_pages(names, origin) : sitemap_of_parts(parts, origin);
  co_return response;
}

}  // namespace quire::http
