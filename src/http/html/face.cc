#include "http/html/face.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "http/html/parts.h"

namespace quire::http {
namespace {

// The value of `ui` in the address. Empty: it has none. No language needs an escape.
std::string_view asked(std::string_view target) {
  auto query = target.substr(std::min(target.find('?'), target.size()));
  for (auto at = query.find("ui="); at != query.npos; at = query.find("ui=", at + 1)) {
    if (query[at - 1] != '?' && query[at - 1] != '&') continue;
    auto value = query.substr(at + 3);
    return value.substr(0, value.find_first_of("&#"));
  }
  return {};
}

}  // namespace

Face::Face(std::shared_ptr<const shop::Shop> shop) : shop_(std::move(shop)) {
  languages_ = shop_ && shop_->languages
                   ? shop_->languages
                   : std::shared_ptr<const texts::Languages>(std::shared_ptr<void>(),
                                                             &texts::Languages::built_in());
  language_ = shop_ && !shop_->language.empty() ? shop_->language : texts::first_language;
  voice(language_);
  auto add = [&](std::string_view name, std::string bytes, std::string_view type) {
    auto place = fmt::format("/static/{:016x}/{}", long_hash(bytes), name);
    files_.emplace(name, ShopFace{std::move(bytes), type, std::move(place)});
  };
  add("embed.css", std::string(embed_style()) + (shop_ ? shop_->embed_style : ""),
      "text/css; charset=utf-8");
  if (!shop_) return;
  if (!shop_->style.empty()) add("shop.css", shop_->style, "text/css; charset=utf-8");
  if (!shop_->logo.bytes.empty()) add("logo", shop_->logo.bytes, shop_->logo.type);
}

const Voice& Face::voice(std::string_view tag) const {
  std::lock_guard lock(mutex_);
  auto found = voices_.find(tag);
  if (found != voices_.end()) return found->second;
  auto texts = languages_->find(tag);
  if (!texts) texts = languages_->find(texts::first_language);
  Templates templates(*texts);
  return voices_.emplace(std::string(tag), Voice{std::move(texts), std::move(templates)})
      .first->second;
}

const ShopFace* Face::file(std::string_view name) const {
  auto found = files_.find(name);
  return found == files_.end() ? nullptr : &found->second;
}

const Zone& Look::zone() const {
  static const Zone utc;
  return face->shop() ? face->shop()->zone : utc;
}

Ui ui_of(const Face& face, std::string_view target, std::string_view accept_language) {
  bool of_comments = face.shop() && face.shop()->visitor_language;
  if (auto ui = asked(target); !ui.empty()) {
    auto found = face.languages().close_to(ui);
    if (!found.empty()) return {std::string(found), true, of_comments};
  }
  return {std::string(face.languages().choose(accept_language, face.language())), false,
          of_comments};
}

}  // namespace quire::http
