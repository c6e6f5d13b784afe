#include "shop/shop.h"

#include <algorithm>

#include "model/additions.h"
#include "shop/links.h"
#include "shop/reading.h"

namespace quire::shop {
namespace {

// Whether `test` is true of one of the texts that somebody wrote.
template <class Test>
bool any_text(const Comment& comment, Test test) {
  for (const auto* text : {&comment.author, &comment.title, &comment.text})
    if (test(*text)) return true;
  for (const auto& picture : comment.media)
    if (test(picture.alt)) return true;
  for (const auto& [name, value] : comment.attributes) {
    if (const auto* text = std::get_if<std::string>(&value); text && test(*text)) return true;
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    for (std::size_t i = 0; texts && i < texts->size(); ++i)
      if (test((*texts)[i])) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string_view> Shop::holds(const Comment& comment, bool known) const {
  if (hold == Hold::none) return {};
  if (hold == Hold::all) return "all";
  if (first && !known) return "first";
  if (links && any_text(comment, has_link)) return "links";
  if (any_text(comment, [this](std::string_view text) { return words.in(text); })) return "words";
  return {};
}

bool Shop::has_picture(const std::string& url) const {
  auto host = host_of(url);
  return host && std::find(media.begin(), media.end(), *host) != media.end();
}

Result<Shop> read(const std::string& path) {
  Texts texts;
  return parse(path, texts);
}

}  // namespace quire::shop
