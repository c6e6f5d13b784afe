#include "http/templates/context.h"

#include <algorithm>
#include <stdexcept>

namespace quire::http {
namespace {

// Elements whose content browsers read by rules of their own.
constexpr std::string_view refused_tags[] = {"style",    "iframe",   "xmp",       "noembed",
                                             "noframes", "noscript", "plaintext", "math"};
constexpr std::string_view url_attributes[] = {"href", "src", "action"};
// With those that begin with data- or aria-. Others may hold scripts, styles or several URLs.
constexpr std::string_view plain_attributes[] = {
    "alt",    "class",       "content", "datetime", "dir",     "for", "form",
    "height", "id",          "lang",    "list",     "max",     "min", "name",
    "value",  "placeholder", "title",   "width",    "xml:lang"};

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

bool is_plain(std::string_view attribute) {
  return attribute.starts_with("data-") || attribute.starts_with("aria-") ||
         contains(plain_attributes, attribute);
}

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool is_letter(char c) {
  return lower(c) >= 'a' && lower(c) <= 'z';
}

bool is_of_name(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == ':';
}

[[noreturn]] void refuse(const std::string& message) {
  throw std::invalid_argument(message);
}

}  // namespace

void Context::read(std::string_view markup) {
  for (char next : markup) read(next);
}

void Context::read(char next) {
  switch (in_) {
    case In::text:
      if (next != '<') return;
      in_ = In::tag_name;
      tag_.clear();
      return;
    case In::tag_name:
      if (is_of_name(next) && (!tag_.empty() || is_letter(next))) {
        tag_ += lower(next);
      } else if (tag_.empty() && next == '/') {
        tag_ = "/";
      } else if (tag_.empty() && (next == '!' || next == '?')) {
        in_ = In::declaration;
        tag_ = next;
      } else if (tag_.empty() || tag_ == "/") {
        refuse("< begins no tag here; write &lt;");
      } else {
        end_name();
        read(next);
      }
      return;
    case In::behind:
    case In::between:
      if (next == '>') return end_tag();
      if (is_space(next) || next == '/') {
        in_ = In::between;
      } else if (in_ == In::between && is_letter(next)) {
        in_ = In::attribute_name;
        attribute_ = lower(next);
      } else {
        refuse("no attribute begins like this");
      }
      return;
    case In::attribute_name:
      if (is_of_name(next)) {
        attribute_ += lower(next);
      } else if (next == '=') {
        if (attribute_ == "http-equiv") refuse("there may be no attribute http-equiv");
        in_ = In::equals;
      } else {
        end_name();
        read(next);
      }
      return;
    case In::equals:
      if (next != '"') refuse("the value of " + attribute_ + " has no double quotes");
      in_ = In::value;
      return;
    case In::value:
      if (next == '"') return end_attribute();
      if (attribute_ == "type" || contains(url_attributes, attribute_)) seen_ += next;
      return;
    case In::declaration:
      if (next == '-' && tag_ == "!") refuse("write a comment as {{! … }}, which is not sent");
      if (next == '>') end_tag();
      return;
    case In::script:
      seen_ += next;
      if (!std::string_view("</script>").starts_with(seen_)) refuse("a script belongs into a file");
      if (seen_ == "</script>") *this = {};
      return;
  }
}

void Context::end_name() {
  if (in_ == In::tag_name && tag_ != "" && tag_ != "/") {
    if (contains(refused_tags, tag_)) refuse("there may be no element " + tag_);
    json_ = false;
    in_ = In::behind;
  }
  if (in_ == In::attribute_name) {  // it has no value
    attribute_.clear();
    in_ = In::behind;
  }
}

void Context::end_attribute() {
  in_ = In::behind;
  if (tag_ == "script" && attribute_ == "type") json_ = seen_ == "application/ld+json";
  attribute_.clear();
  seen_.clear();
}

void Context::end_tag() {
  in_ = tag_ == "script" ? In::script : In::text;
  tag_.clear();
}

Escape Context::value() {
  if (in_ == In::text) return Escape::text;
  if (in_ == In::script && json_ && seen_.empty()) return Escape::json;
  if (in_ == In::value && is_plain(attribute_)) return Escape::text;
  if (in_ == In::value && contains(url_attributes, attribute_) && may_be_followed(seen_)) {
    if (!seen_.empty()) return Escape::url_part;
    seen_ = "/";  // a URL that may be followed
    return Escape::url;
  }
  refuse("no value may stand here" + (attribute_.empty() ? "" : ", in " + attribute_));
}

}  // namespace quire::http
