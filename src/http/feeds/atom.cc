#include "http/feeds/feeds.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "http/html/labels.h"
#include "http/html/page_links.h"
#include "http/query.h"
#include "http/templates/values.h"

namespace quire::http {
namespace {

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

void fill_entry(Values& entry, const ShownComment& shown, const std::string& root,
                const PageLinks& links, const texts::Texts& texts) {
  const Comment& comment = shown.comment;
  entry.set("ID", root.empty() ? urn(comment.id.bytes.data())
                               : root + "/v1/comments/" + comment.id.text());
  entry.set("HREF", shown.cut ? links.comment(comment.id) : links.comment_place(comment.id));
  auto stars = texts.counted("stars", static_cast<std::uint64_t>(comment.rating));
  entry.set("TITLE", for_xml(comment.title.empty() ? stars : stars + ": " + comment.title));
  entry.set("AUTHOR", for_xml(comment.author.empty() ? texts["anonymous"] : comment.author));
  entry.set("UPDATED", time_text(comment.created_ms()));
  auto text = shown.cut ? comment.text + " …" : comment.text;
  if (comment.reply) {
    text += fmt::format("{}{}:\n{}", text.empty() ? "" : "\n\n",
                        reply_label(texts, comment.reply->author), comment.reply->text);
  }
  entry.set("TEXT", for_xml(text));
  for (const auto& picture : comment.media) entry.add("PICTURE").set("URL", picture.url);
  entry.set("LANG", comment.language);
}

}  // namespace

Response atom_feed(const std::vector<ShownComment>& comments, const Query& query,
                   const std::string& name, const std::string& root, const Look& look) {
  auto links = links_of(root, query.product, look.ui);
  TemplateValues feed;
  auto title = look.texts().with("comments_on", {{"PRODUCT", name}});
  const auto& shop = look.face->shop();
  feed.set("TITLE", for_xml(shop && !shop->name.empty() ? title + " – " + shop->name : title));
  auto self = page_address(links.self + "/comments.atom", query, links.ui);
  feed.set("ID", root.empty() ? urn(sha256({self}).data()) : self);
  feed.set("SELF_HREF", self);
  feed.set("PAGE_HREF", links.page(query));
  feed.set("UPDATED", time_text(comments.empty() ? 0 : comments.front().comment.id.ms()));
  for (const auto& shown : comments)
    fill_entry(feed.add("ENTRY"), shown, root, links, look.texts());
  return {.type = "application/atom+xml; charset=utf-8",
          .body = look.voice->templates.fill("feed.tpl", feed),
          .caching = root.empty() ? Caching::none : Caching::revalidate};
}

}  // namespace quire::http
