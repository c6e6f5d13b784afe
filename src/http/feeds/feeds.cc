#include "http/feeds/feeds.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "base/try.h"
#include "http/api/queue_parameters.h"
#include "http/html/labels.h"
#include "http/html/page_links.h"
#include "http/html/shown_comment.h"
#include "http/problem.h"
#include "http/query.h"
#include "http/templates/values.h"
#include "quire/ulid.h"
#include "service/revisions.h"

namespace quire::http {
namespace {

// The format allows 50,000. So many take a few milliseconds, and are short enough to be compressed.
constexpr std::size_t products_a_part = 5'000;
constexpr std::chrono::seconds sitemap_kept{60};
constexpr std::string_view xml_head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
constexpr std::string_view sitemap_names = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
constexpr std::string_view xml = "application/xml; charset=utf-8";

// Replaces U+FFFE and U+FFFF, which JSON and HTML allow and XML does not.
std::string for_xml(std::string text) {
  for (std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (auto at = text.find(none); at != text.npos; at = text.find(none, at))
      text.replace(at, none.size(), "\xEF\xBF\xBD");
  }
  return text;
}

// An id that does not depend on the host's name.
std::string urn(const std::uint8_t* bytes) {
  std::string out = "urn:uuid:";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += fmt::format("{:02x}", bytes[i]);
  }
  return out;
}

// When the comment was written, published, edited or replied to last, as far as the store knows.
std::uint64_t changed_ms(const Comment& comment, const ChangeTimes& times) {
  auto known = times.find(comment.id);
  return std::max({comment.created_ms(), comment.reply ? comment.reply->created_ms : 0,
                   known == times.end() ? 0 : known->second});
}

// What was changed last comes first, so that a reader who takes the first entries alone has it.
void sort_by_change(std::vector<ShownComment>& comments, const ChangeTimes& times) {
  std::stable_sort(comments.begin(), comments.end(),
                   [&](const ShownComment& a, const ShownComment& b) {
                     return changed_ms(a.comment, times) > changed_ms(b.comment, times);
                   });
}

// `product`: the name of the comment's product, where others are in the feed as well; else empty.
void fill_entry(Values& entry, const ShownComment& shown, const ChangeTimes& times,
                const std::string& root, const PageLinks& links, const Look& look,
                const std::string& product = {}) {
  const Comment& comment = shown.comment;
  const auto& texts = look.texts();
  auto id = comment.id.text();
  entry.set("ID", root.empty() ? urn(comment.id.bytes.data()) : root + "/v1/comments/" + id);
  entry.set("HREF", shown.cut ? links.comment(id) : links.comment_place(id));
  auto title = product.empty() ? "" : product + ": ";
  title += texts.counted("stars", static_cast<std::uint64_t>(comment.rating));
  if (!comment.title.empty()) title += ": " + comment.title;
  entry.set("TITLE", for_xml(std::move(title)));
  entry.set("AUTHOR", for_xml(comment.author.empty() ? texts["anonymous"] : comment.author));
  entry.set("PUBLISHED", look.zone().time_text(comment.created_ms()));
  entry.set("UPDATED", look.zone().time_text(changed_ms(comment, times)));
  auto text = shown.cut ? comment.text + " …" : comment.text;
  if (comment.reply) {
    text += fmt::format("{}{}:\n{}", text.empty() ? "" : "\n\n",
                        reply_label(texts, comment.reply->author), comment.reply->text);
  }
  entry.set("TEXT", for_xml(text));
  for (const auto& picture : comment.media) entry.add("PICTURE").set("URL", picture.url);
  entry.set("LANG", comment.language);
}

// What a feed tells of itself. `self`: its address. `root`: see Site. A feed without one has
// relative links, and ids that contain no host: RFC 4287 asks for absolute ids, not for absolute
// links. `look`: its language, and the shop's name.
void fill_head(Values& feed, const std::string& title, const std::string& self,
               const std::string& root, const Look& look, const std::vector<ShownComment>& comments,
               const ChangeTimes& times) {
  const auto& shop = look.face->shop();
  feed.set("TITLE", for_xml(shop && !shop->name.empty() ? title + " – " + shop->name : title));
  feed.set("ID", root.empty() ? urn(sha256({self}).data()) : self);
  feed.set("SELF_HREF", self);
  std::uint64_t updated = 0;
  for (const auto& shown : comments) updated = std::max(updated, changed_ms(shown.comment, times));
  feed.set("UPDATED", look.zone().time_text(updated));
}

Response feed_response(const Values& feed, const Look& look, Caching caching) {
  return {.type = "application/atom+xml; charset=utf-8",
          .body = look.voice->templates.fill("feed.tpl", feed),
          .caching = caching};
}

// `comments` are of the product, what was changed last first; `name` is the product's.
Response atom_feed(const std::vector<ShownComment>& comments, const ChangeTimes& times,
                   const Query& query, const std::string& name, const std::string& root,
                   const Look& look) {
  auto links = links_of(root, query.product, look.ui);
  TemplateValues feed;
  auto self = page_address(links.self + "/comments.atom", query, links.ui);
  auto title = look.texts().with("comments_on", {{"PRODUCT", name}});
  fill_head(feed, title, self, root, look, comments, times);
  feed.set("PAGE_HREF", links.page(query));
  for (const auto& shown : comments) fill_entry(feed.add("ENTRY"), shown, times, root, links, look);
  return feed_response(feed, look, root.empty() ? Caching::none : Caching::revalidate);
}

// The address of the feed of all, without a token: what a reader shows of it gives none away.
std::string address_of_all(const QueueQuestion& question, const std::string& root,
                           const std::string& ui) {
  Query query{
      .languages = question.languages, .ratings = question.ratings, .words = question.words};
  return page_address(root + "/comments.atom", query, ui);
}

// `newest`: the time of each product's newest comment, in ms since 1970, 0 without one; or nothing
// at all. Nothing here needs XML's escapes: products are percent-encoded, and a root is a URL of
// plain characters.
Awaitable<Response> sitemap_of(const std::vector<std::string>& products,
                               const std::vector<std::uint64_t>& newest, const std::string& root) {
  std::string out = std::string(xml_head) + "<urlset " + std::string(sitemap_names) + ">\n";
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (turn_is_over()) co_await next_turn();
    out += "<url><loc>" + root + "/products/" + percent_encode(products[i]) + "</loc>";
    if (i < newest.size() && newest[i] > 0)
      out += "<lastmod>" + time_text(newest[i]) + "</lastmod>";
    out += "</url>\n";
  }
  out += "</urlset>\n";
  co_return Response{.type = xml, .body = std::move(out), .caching = Caching::revalidate};
}

// `parts`: for each part of the map, the last product before it.
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

// Names the sitemap, unless `root` is empty. `path`: of the public URL.
// Pages under a filter are not left out here: crawlers have to read them to see that they are not
// to be indexed.
Response robots_of(const std::string& root, std::string_view path) {
  std::string out =
      fmt::format("User-agent: *\nDisallow: {0}/v1/\nDisallow: {0}/comments/\n", path);
  if (!root.empty()) out += "\nSitemap: " + root + "/sitemap.xml\n";
  return {.type = plain_text, .body = std::move(out), .caching = Caching::revalidate};
}

}  // namespace

Awaitable<Response> Feeds::feed(const Request& request) {
  auto query = filter_query(request, feed_parameters);
  if (!query) co_return problem(query.error());
  query->product = request.captures[0];
  auto page = co_await comments_.page(*query);
  if (!page) co_return co_await filter_problem(comments_, page.error(), feed_parameters);
  metrics_.found(*page);
  auto none = co_await no_comments(comments_, *page, query->product);
  if (none) co_return std::move(*none);
  auto times = co_await add_revised(*page, *query);
  if (!times) co_return problem(times.error());
  // Readers of feeds have no language of their own: the address says it, or it is the shop's.
  auto look = html_.look(request.ui.by_address ? request.ui : Ui());
  auto comments = co_await shown_comments(*page, look.face->shop().get());
  sort_by_change(comments, *times);
  auto facts = co_await facts_of(*page->view, query->product);
  if (!facts) co_return problem(facts.error());
  const auto& name = *facts ? (*facts)->name : query->product;
  co_return atom_feed(comments, *times, *query, name, site_.root(request), look);
}

Awaitable<Response> Feeds::all(const Request& request) {
  auto question = queue_question(request, all_feed_parameters);
  if (!question) co_return problem(question.error());
  auto newest = co_await desk_.newest(*request.permit, *question);
  if (!newest) co_return problem(newest.error());
  auto look = html_.look(request.ui.by_address ? request.ui : Ui());
  auto root = site_.root(request);
  const auto& times = newest->found.changed;
  std::vector<ShownComment> shown;
  for (auto& comment : newest->found.comments)
    shown.push_back(shown_comment(std::move(comment), look.face->shop().get()));
  sort_by_change(shown, times);
  std::vector<std::string> products;
  for (const auto& each : shown) products.push_back(each.comment.product);
  auto facts = co_await comments_.facts(products);
  if (!facts) co_return problem(facts.error());
  TemplateValues feed;
  fill_head(feed, look.texts()["latest_comments"], address_of_all(*question, root, look.ui), root,
            look, shown, times);
  feed.set("PAGE_HREF", links_of(root, {}, look.ui).products());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto& name = (*facts)[i] ? (*facts)[i]->name : products[i];
    auto links = links_of(root, products[i], look.ui);
    fill_entry(feed.add("ENTRY"), shown[i], times, root, links, look, name);
  }
  bool keeps = newest->open && !root.empty();
  co_return feed_response(feed, look, keeps ? Caching::revalidate : Caching::none);
}

Awaitable<Result<Feeds::SitemapParts>> Feeds::sitemap_parts() {
  {
    std::lock_guard lock(sitemap_mutex_);
    if (sitemap_parts_ && std::chrono::steady_clock::now() < sitemap_until_)
      co_return sitemap_parts_;
  }
  auto parts = std::make_shared<std::vector<std::string>>(1);
  for (;;) {
    CO_TRY(auto products, co_await comments_.product_names(parts->back(), products_a_part + 1));
    if (products.size() <= products_a_part) break;
    parts->push_back(std::move(products[products_a_part - 1]));
  }
  std::lock_guard lock(sitemap_mutex_);
  sitemap_parts_ = parts;
  sitemap_until_ = std::chrono::steady_clock::now() + sitemap_kept;
  co_return parts;
}

Awaitable<Response> Feeds::sitemap(const Request& request) {
  if (auto allowed = allow_only(request, sitemap_parameters); !allowed)
    co_return problem(allowed.error());
  auto root = site_.root(request);
  if (root.empty()) {
    co_return problem("not-found",
                      "There is no sitemap for this host, because its addresses must be absolute. "
                      "Start the server with --public-url, the address that visitors see.");
  }
  auto after = parameter(request, "after");
  if (!after) {
    auto parts = co_await sitemap_parts();
    if (!parts) co_return problem(parts.error());
    if ((*parts)->size() > 1) co_return sitemap_index_of(**parts, root);
  }
  auto products =
      co_await comments_.product_names(std::string(after.value_or("")), products_a_part);
  if (!products) co_return problem(products.error());
  auto newest = co_await comments_.newest(*products);
  if (!newest) co_return problem(newest.error());
  co_return co_await sitemap_of(*products, *newest, root);
}

Awaitable<Response> Feeds::robots(const Request& request) {
  co_return robots_of(site_.root(request), request.path);
}

}  // namespace quire::http
