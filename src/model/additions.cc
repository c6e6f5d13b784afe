#include "model/additions.h"

#include <boost/json.hpp>

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "base/web_address.h"
#include "model/document.h"
#include "model/validate.h"

namespace quire {
namespace {

namespace json = boost::json;

// The members of an object, of which each that is not taken is an error.
class Object {
 public:
  Object(const json::object& object, std::string field, std::vector<FieldError>& errors)
      : object_(object), field_(std::move(field)), errors_(errors) {}

  // Call it after all reads.
  void finish() {
    for (const auto& [name, value] : object_)
      if (std::find(taken_.begin(), taken_.end(), name) == taken_.end())
        refuse(shortened(name), "is no member here");
  }

  std::string text(std::string_view name) {
    const auto* value = take(name);
    if (value && value->is_string()) return std::string(value->get_string());
    if (value) refuse(name, "must be a string");
    return {};
  }

  // 0: there is no such member.
  std::uint32_t pixels(std::string_view name) {
    const auto* value = take(name);
    if (!value) return 0;
    auto number = value->is_int64() ? value->get_int64() : 0;
    bool fits = 1 <= number && number <= std::int64_t{limits::picture_pixels};
    if (!fits) refuse(name, "must be a whole number from 1 to 20000, in pixels");
    return fits ? static_cast<std::uint32_t>(number) : 1;
  }

  std::uint64_t time(std::string_view name) {
    auto ms = parse_time(text(name));
    if (!ms) refuse(name, "must be an RFC 3339 time from 1970 to 9999");
    return ms.value_or(0);
  }

 private:
  const json::value* take(std::string_view name) {
    taken_.push_back(name);
    return object_.if_contains(name);
  }
  void refuse(std::string_view name, std::string message) {
    errors_.push_back({field_ + "." + std::string(name), std::move(message)});
  }

  const json::object& object_;
  const std::string field_;
  std::vector<FieldError>& errors_;
  std::vector<std::string_view> taken_;
};

void check_text(std::string& text, std::string_view field, std::size_t max,
                std::vector<FieldError>& errors) {
  if (text.find('\r') != text.npos) text = without_returns(text);
  auto length = characters(text, "\n\t");
  if (length && *length <= max) return;
  errors.push_back({std::string(field), "must be UTF-8 of at most " + std::to_string(max) +
                                            " characters, without control characters"});
}

bool is_of_address(unsigned char c) {
  constexpr std::string_view never = "\"'<>\\^`{|}";
  return c > 0x20 && c < 0x7F && never.find(static_cast<char>(c)) == never.npos;
}

}  // namespace

void append_media(std::string& out, const Media& media) {
  if (media.empty()) return;
  out += ",\"media\":[";
  for (const auto& [url, width, height, alt] : media) {
    out += out.back() == '[' ? "{\"url\":" : ",{\"url\":";
    append_json_string(out, url);
    if (width > 0) {
      out.append(",\"width\":").append(std::to_string(width));
      out.append(",\"height\":").append(std::to_string(height));
    }
    out += ",\"alt\":";
    append_json_string(out, alt);
    out += '}';
  }
  out += ']';
}

void append_reply(std::string& out, const std::optional<Reply>& reply) {
  if (!reply) return;
  out += ",\"reply\":{\"author\":";
  append_json_string(out, reply->author);
  out += ",\"text\":";
  append_json_string(out, reply->text);
  out.append(",\"created_at\":\"").append(time_text(reply->created_ms)).append("\"}");
}

Media media_in(const json::value& value, std::vector<FieldError>& errors) {
  Media media;
  const auto* list = value.if_array();
  bool objects =
      list && list->size() <= limits::pictures &&
      std::all_of(list->begin(), list->end(), [](auto& each) { return each.is_object(); });
  if (!objects) {
    errors.push_back({"media", "must be an array of at most 8 objects of url, width, height, alt"});
    return media;
  }
  for (const auto& each : *list) {
    Object members(each.get_object(), "media." + std::to_string(media.size()), errors);
    Picture picture;
    picture.url = members.text("url");
    picture.width = members.pixels("width");
    picture.height = members.pixels("height");
    picture.alt = members.text("alt");
    members.finish();
    media.push_back(std::move(picture));
  }
  check(media, errors);
  return media;
}

Reply reply_in(const json::value& value, bool dated, std::vector<FieldError>& errors) {
  Reply reply;
  if (!value.is_object()) {
    errors.push_back({"reply", R"(must be an object: {"author": "…", "text": "…"})"});
    return reply;
  }
  Object members(value.get_object(), "reply", errors);
  reply.author = members.text("author");
  reply.text = members.text("text");
  if (dated) reply.created_ms = members.time("created_at");
  members.finish();
  check(reply, errors);
  return reply;
}

void check(Media& media, std::vector<FieldError>& errors) {
  if (media.size() > limits::pictures)
    errors.push_back(
        {"media", "has " + std::to_string(media.size()) + " pictures; at most 8 are kept"});
  for (std::size_t i = 0; i < media.size(); ++i) {
    auto& picture = media[i];
    auto field = "media." + std::to_string(i);
    if (picture.url.size() > limits::picture_url_bytes || !host_of(picture.url))
      errors.push_back({field + ".url",
                        "must be https://HOST/PATH, percent-encoded, without port and user, of at "
                        "most 2000 bytes"});
    if ((picture.width == 0) != (picture.height == 0))
      errors.push_back({field + (picture.width == 0 ? ".width" : ".height"),
                        "is missing; give width and height, or neither"});
    if (std::max(picture.width, picture.height) > limits::picture_pixels)
      errors.push_back({field, "must have at most 20000 pixels of width and of height"});
    check_text(picture.alt, field + ".alt", limits::alt_characters, errors);
  }
}

void check(Reply& reply, std::vector<FieldError>& errors) {
  check_text(reply.author, "reply.author", limits::author_characters, errors);
  if (is_blank(reply.author)) reply.author.clear();
  check_text(reply.text, "reply.text", limits::text_characters, errors);
  if (is_blank(reply.text)) errors.push_back({"reply.text", "must not be empty, nor blanks alone"});
}

std::optional<std::string_view> host_of(std::string_view url) {
  constexpr std::string_view scheme = "https://";
  if (!url.starts_with(scheme) || !std::all_of(url.begin(), url.end(), is_of_address)) return {};
  url.remove_prefix(scheme.size());
  auto host = url.substr(0, url.find_first_of("/?#"));
  if (!is_host(host)) return {};
  return host;
}

bool is_host(std::string_view text) {
  auto is_of_host = [](char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '-' || c == '.';
  };
  return !text.empty() && text.size() <= 253 && std::all_of(text.begin(), text.end(), is_of_host) &&
         text.front() != '.' && text.back() != '.' && text.find("..") == text.npos &&
         is_web_host(text);
}

}  // namespace quire
