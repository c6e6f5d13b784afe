#include "http/html/shown_comment.h"

#include <cctype>

#include "model/document.h"

namespace quire::http {
namespace {

constexpr std::size_t max_bytes = 1000;
constexpr std::size_t bytes_between_looks = 16 * 1024;
constexpr std::size_t max_lines = 16;
// A text is cut well below the limits, so that no cut hides only a few words.
constexpr std::size_t shown_bytes = 700;
constexpr std::size_t shown_lines = 10;
constexpr std::size_t excerpt_bytes = 180;

// The end of line `n`, counted from 1; npos if there are fewer lines.
std::size_t end_of_line(std::string_view text, std::size_t n) {
  std::size_t at = text.find('\n');
  for (std::size_t line = 1; line < n && at != text.npos; ++line) at = text.find('\n', at + 1);
  return at;
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// At most so many bytes of a longer text, up to the end of a word.
std::string_view cut(std::string_view text, std::size_t bytes) {
  std::size_t end = bytes;
  while (end > 0 && continues_character(text[end])) --end;
  text = text.substr(0, end);
  auto word = text.find_last_of(" \t\n");
  // In a script without spaces the last one may be far from the end.
  return word != text.npos && word > bytes / 2 ? text.substr(0, word) : text;
}

}  // namespace

std::optional<std::string_view> beginning_of(std::string_view text) {
  if (text.size() <= max_bytes && end_of_line(text, max_lines) == text.npos) return {};
  text = text.substr(0, end_of_line(text, shown_lines));
  return text.size() <= shown_bytes ? text : cut(text, shown_bytes);
}

ShownComment excerpt_of(Comment comment) {
  bool long_one = comment.text.size() > excerpt_bytes;
  if (long_one) comment.text = std::string(cut(comment.text, excerpt_bytes));
  return {std::move(comment), long_one};
}

// A line of spaces is blank, too.
std::string without_blank_runs(std::string text) {
  bool may_have = false;
  for (auto at = text.find('\n'); at != text.npos && !may_have; at = text.find('\n', at + 1))
    may_have = at + 1 < text.size() && std::isspace(static_cast<unsigned char>(text[at + 1]));
  if (!may_have) return text;
  std::size_t out = 0, breaks = 0, blank_from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      out = breaks > 0 ? blank_from : out;  // spaces of a blank line go
      if (++breaks <= 2) text[out++] = '\n';
      blank_from = out;
      continue;
    }
    text[out++] = text[i];
    if (text[i] != ' ' && text[i] != '\t') breaks = 0;
  }
  text.resize(out);
  return text;
}

void leave_pictures_of(const shop::Shop* shop, Media& media) {
  std::erase_if(media, [&](const Picture& each) { return !shop || !shop->has_picture(each.url); });
}

ShownComment shown_comment(Comment comment, const shop::Shop* shop) {
  comment.text = without_blank_runs(std::move(comment.text));
  leave_pictures_of(shop, comment.media);
  auto beginning = beginning_of(comment.text);
  if (beginning) comment.text.resize(beginning->size());
  return {std::move(comment), beginning.has_value()};
}

Awaitable<std::vector<ShownComment>> shown_comments(const FoundPage& page, const shop::Shop* shop) {
  std::vector<ShownComment> shown;
  shown.reserve(page.rows.size());
  std::size_t bytes = 0;  // since the last look at the clock, which is not cheap
  for (const auto& row : page.rows) {
    bytes += row.document.size();
    if (bytes > bytes_between_looks && turn_is_over()) co_await next_turn();
    if (bytes > bytes_between_looks) bytes = 0;
    auto comment = decode_document(row.document);
    if (!comment) continue;
    shown.push_back(shown_comment(std::move(*comment), shop));
  }
  co_return shown;
}

}  // namespace quire::http
