#include "shop/shop.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/text.h"
#include "model/additions.h"
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

bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
char small(char c) {
  return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

// Part of a name, as letters of all scripts are.
bool is_name(char c) {
  return is_small(small(c)) || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

// Names under these are taken for addresses without a path, too. Others, such as "it", "shop" and
// "top", are words that may follow a full stop.
constexpr std::array<std::string_view, 8> common = {"com", "net", "org", "info",
                                                    "biz", "xyz", "edu", "gov"};
constexpr std::size_t max_label = 63;

class Look {
 public:
  explicit Look(std::string_view text) : text_(text) {}

  // `at`: of a character that every link has.
  bool link_at(std::size_t at) const {
    switch (text_[at]) {
      case ':':
        return follows(at, "://") && at > 0 && is_small(small(text_[at - 1])) &&
               at + 3 < text_.size() && static_cast<unsigned char>(text_[at + 3]) > ' ';
      case '.':
        return (at > 0 && is_name(text_[at - 1])) && (is_www(at) || ends_name(at));
      case '@':
        return at > 0 && is_name(text_[at - 1]) && is_host(at + 1);
      case '[':
        return follows(at, "[url=") || follows(at, "[url]");
      case '<':
        return follows(at, "<a") && at + 2 < text_.size() &&
               static_cast<unsigned char>(text_[at + 2]) <= ' ';
      default:
        return false;
    }
  }

 private:
  bool follows(std::size_t at, std::string_view small_text) const {
    auto part = text_.substr(at, small_text.size());
    return std::equal(part.begin(), part.end(), small_text.begin(), small_text.end(),
                      [](char a, char b) { return small(a) == b; });
  }

  bool name_at(std::size_t at) const { return at < text_.size() && is_name(text_[at]); }

  bool is_www(std::size_t dot) const {
    return dot >= 3 && follows(dot - 3, "www") && (dot == 3 || !is_name(text_[dot - 4])) &&
           name_at(dot + 1);
  }

  // The letters from there, if they may be the last part of a name; else empty.
  std::string_view last_part(std::size_t at) const {
    std::size_t end = at, smalls = 0;
    for (; end < text_.size() && end - at <= max_label && is_small(small(text_[end])); ++end)
      smalls += is_small(text_[end]) ? 1 : 0;
    auto size = end - at;
    bool whole = !name_at(end) && !(end < text_.size() && (text_[end] == '-' || text_[end] == '_'));
    bool one_case = smalls == 0 || smalls == size;
    return size >= 2 && size <= max_label && whole && one_case ? text_.substr(at, size)
                                                               : std::string_view();
  }

  bool ends_name(std::size_t dot) const {
    auto part = last_part(dot + 1);
    if (part.empty()) return false;
    auto after = dot + 1 + part.size();
    if (after < text_.size() && text_[after] == '/') return true;
    std::string name(part);
    std::transform(name.begin(), name.end(), name.begin(), small);
    return std::find(common.begin(), common.end(), name) != common.end();
  }

  // Whether a name with a dot begins there, as behind the @ of a mail address.
  bool is_host(std::size_t at) const {
    std::size_t end = at;
    while (end - at <= max_label && (name_at(end) || (end < text_.size() && text_[end] == '-')))
      ++end;
    return end > at && end < text_.size() && text_[end] == '.' && name_at(end + 1);
  }

  std::string_view text_;
};

}  // namespace

std::optional<std::string_view> Shop::holds(const Comment& comment, bool known) const {
  if (hold == Hold::none) return {};
  if (hold == Hold::all) return "all";
  if (first && !known) return "first";
  if (links && any_text(comment, has_link)) return "links";
  if (!listed_in(comment).empty()) return "words";
  return {};
}

std::string_view Shop::listed_in(const Comment& comment) const {
  std::string_view found;
  any_text(comment, [&](std::string_view text) {
    found = words.first_in(text);
    return !found.empty();
  });
  return found;
}

std::vector<std::string> Shop::looser_than(const Shop& before) const {
  std::vector<std::string> out;
  auto tell = [&](bool looser, std::string_view what, std::string_view from, std::string_view to) {
    if (looser) out.push_back(fmt::format("{} was {}, and is {} now", what, from, to));
  };
  constexpr std::string_view writers[] = {"\"nobody\"", "\"customers\"", "\"anyone\""};
  constexpr std::string_view holds[] = {"\"none\"", "\"all\"", "\"rules\""};
  constexpr int strictness[] = {0, 2, 1};
  auto yes = [](bool value) { return value ? "true" : "false"; };
  auto at = [](auto value) { return static_cast<std::size_t>(value); };
  tell(who > before.who, "who in [writing]", writers[at(before.who)], writers[at(who)]);
  tell(strictness[at(hold)] < strictness[at(before.hold)], "hold", holds[at(before.hold)],
       holds[at(hold)]);
  if (hold == Hold::rules && before.hold == Hold::rules) {
    tell(before.first && !first, "first", yes(before.first), yes(first));
    tell(before.links && !links, "links", yes(before.links), yes(links));
    tell(before.words.size() > words.size(), "the number of words",
         std::to_string(before.words.size()), std::to_string(words.size()));
  }
  bool fewer = before.reports > 0 && (reports == 0 || reports > before.reports);
  tell(fewer, "reports", std::to_string(before.reports), std::to_string(reports));
  tell(before.once && !once, "once", yes(before.once), yes(once));
  tell(edit_days > before.edit_days, "edit_days", std::to_string(before.edit_days),
       std::to_string(edit_days));
  tell(public_lists && !before.public_lists, "lists", "\"private\"", "\"public\"");
  tell(votes && !before.votes, "who in [votes]", "\"nobody\"", "\"customers\"");
  return out;
}

bool Shop::has_picture(const std::string& url) const {
  auto host = host_of(url);
  return host &&
         std::find(picture_hosts.begin(), picture_hosts.end(), *host) != picture_hosts.end();
}

Result<Shop> read(const std::string& path) {
  FileTexts texts;
  return parse(path, texts);
}

std::string address_for(std::string_view pattern, std::string_view product) {
  std::string out(pattern);
  auto at = out.find(product_place);
  return at == out.npos ? out : out.replace(at, product_place.size(), percent_encode(product));
}

bool has_link(std::string_view text) {
  Look look(text);
  for (auto at = text.find_first_of(":.@[<"); at != text.npos;
       at = text.find_first_of(":.@[<", at + 1))
    if (look.link_at(at)) return true;
  return false;
}

}  // namespace quire::shop
