#include "webhook/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "model/document.h"

namespace quire::webhook {
namespace {

constexpr std::size_t max_slack_text = 500, max_slack_title = 200;  // bytes
constexpr std::string_view id_prefix = "evt_";
constexpr std::string_view no_width = "\u200B";

// Whole characters of it, at most so many bytes.
std::string_view beginning(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (text[bytes] & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::size_t json_bytes(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json.size();
}

// The longest beginning, in whole characters, whose JSON has at most so many bytes.
std::string_view beginning_of_json(std::string_view text, std::size_t bytes) {
  std::size_t fits = 0, too_long = text.size() + 1;
  while (fits + 1 < too_long) {
    auto middle = (fits + too_long) / 2;
    (json_bytes(beginning(text, middle)) <= bytes ? fits : too_long) = middle;
  }
  return beginning(text, fits);
}

// The comment without what is for moderators alone.
std::string json_of(Comment comment) {
  comment.moderation.note.clear();
  return std::string(document_json(encode_document(comment, Members::moderators)));
}

std::string standard_body(const Event& event, std::string_view rest) {
  auto out =
      fmt::format(R"({{"type":"{}","timestamp":"{}","data":{{"mark":{}{}{}{}}}}})", event.type,
                  time_text(event.time_ms), event.mark, event.is_new ? R"(,"new":true)" : "",
                  event.imported ? R"(,"imported":true)" : "", rest);
  return out;
}

std::string body_of_gone(const Event& event) {
  std::string rest;
  if (event.id) rest += fmt::format(R"(,"id":"{}")", event.id->text());
  if (!event.product.empty()) {
    rest += R"(,"product":)";
    append_json_string(rest, event.product);
  }
  return standard_body(event, rest);
}

// As Slack wants it, and so that other programs make neither a mention nor a link of it.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '(' && out.ends_with(']'))
      out.append(no_width).append("(");
    else
      out += c;
    if (c == '@') out += no_width;
  }
  return out;
}

std::string shown(std::string_view text, std::size_t bytes) {
  auto part = beginning(text, bytes);
  return escaped(part) + (part.size() < text.size() ? "…" : "");
}

// Each line with "> " before it.
void append_quote(std::string& out, std::string_view text) {
  while (!text.empty()) {
    auto end = std::min(text.find('\n'), text.size());
    out.append("\n> ").append(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string_view deed_of(const Event& event) {
  if (event.is_new)
    return event.type == "comment.held" ? "new review, which waits for a moderator" : "new review";
  constexpr std::pair<std::string_view, std::string_view> deeds[] = {
      {"comment.published", "review published"},
      {"comment.held", "review held back, which waits for a moderator"},
      {"comment.changed", "review changed"},
      {"comment.rejected", "review rejected"},
      {"comment.removed", "review removed"},
      {"comment.reported", "review reported by a reader"},
      {"comment.replied", "reply of the shop to a review"},
      {"comment.voted", "vote on a review"},
      {"customer.erased", "customer erased"},
  };
  for (const auto& [type, deed] : deeds)
    if (type == event.type) return deed;
  return event.type;
}

std::string stars(int rating) {
  std::string out;
  for (int i = 1; i <= 5; ++i) out += i <= rating ? "★" : "☆";
  return out;
}

std::string sentence_of(const Event& event, const Comment* comment, const Around& around) {
  if (event.type == test_type) return "A test by Quire: messages arrive here.";
  std::string out = comment ? stars(comment->rating) + " " : "";
  const auto& name = around.product_name.empty() ? event.product : around.product_name;
  if (!name.empty()) out += "*" + escaped(name) + "*: ";
  out += deed_of(event);
  if (comment) {
    if (!comment->author.empty()) out += " by " + escaped(comment->author);
    if (!comment->title.empty())
      append_quote(out, "*" + shown(comment->title, max_slack_title) + "*");
    append_quote(out, shown(comment->text, max_slack_text));
  }
  if (!around.moderation_url.empty()) out += "\n<" + around.moderation_url + "|Moderation>";
  return out;
}

}  // namespace

std::string message_id(const Event& event) {
  return fmt::format("{}{}", id_prefix, event.mark);
}

std::optional<std::uint64_t> mark_of(std::string_view message_id) {
  if (!message_id.starts_with(id_prefix)) return {};
  return parse_integer<std::uint64_t>(message_id.substr(id_prefix.size()));
}

std::string standard_body(const Event& event, const Comment* comment) {
  if (!comment) return body_of_gone(event);
  auto body = standard_body(event, R"(,"comment":)" + json_of(*comment));
  if (body.size() <= max_body_bytes) return body;
  Comment cut = *comment;
  auto write = [&] {
    body = standard_body(event, R"(,"truncated":true,"comment":)" + json_of(cut));
    return body.size() <= max_body_bytes;
  };
  auto fits_without_end_of = [&](std::string& text) {
    if (write()) return true;
    auto excess = body.size() - max_body_bytes, bytes = json_bytes(text);
    text = std::string(beginning_of_json(text, bytes - std::min(excess, bytes)));
    return write();
  };
  if (fits_without_end_of(cut.text) || (cut.reply && fits_without_end_of(cut.reply->text)) ||
      fits_without_end_of(cut.title))
    return body;
  cut.media.clear();
  write();
  return body;
}

std::string slack_body(const Event& event, const Comment* comment, const Around& around) {
  std::string out = R"({"text":)";
  append_json_string(out, sentence_of(event, comment, around));
  return out + "}";
}

}  // namespace quire::webhook
