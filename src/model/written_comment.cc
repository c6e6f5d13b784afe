// Documents are read in their one form (docs/formats/document.md); other JSON is left to a parser.
#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "base/limits.h"
#include "model/additions.h"
#include "model/attributes.h"
#include "model/document.h"
#include "model/validate.h"

namespace quire {
namespace {

using Strings = std::vector<std::string>;

// Each function returns whether the JSON goes on with such a token, and takes it.
class WrittenReader {
 public:
  explicit WrittenReader(std::string_view json) : rest_(json) {}

  bool at_end() const { return rest_.empty(); }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // A literal, whose size the compiler knows: the comparison takes no call.
  template <std::size_t size>
  bool take(const char (&literal)[size]) {
    if (!rest_.starts_with(std::string_view(literal, size - 1))) return false;
    rest_.remove_prefix(size - 1);
    return true;
  }

  // A string without escapes: a part of the JSON.
  bool take_plain(std::string_view& string) {
    if (!take('"')) return false;
    string = rest_.substr(0, rest_.find('"'));
    rest_.remove_prefix(string.size());
    return string.find('\\') == string.npos && take('"');
  }

  bool take(std::string& string) {
    if (!take('"')) return false;
    string.clear();
    // A quote that was found is kept until it is passed: a text full of escapes is read once.
    for (auto quoted = from_quote();;) {
      if (rest_.size() < quoted) quoted = from_quote();
      auto end = rest_.size() - quoted;
      end = std::min(rest_.substr(0, end).find('\\'), end);
      string.append(rest_, 0, end);
      rest_.remove_prefix(end);
      if (take('"')) return true;
      if (take("\\n")) {
        string += '\n';
      } else if (take("\\\"")) {
        string += '"';
      } else if (take("\\\\")) {
        string += '\\';
      } else if (take("\\t")) {
        string += '\t';
      } else {
        return false;
      }
    }
  }

  bool take(int& rating) {
    if (rest_.empty() || rest_[0] < '1' || rest_[0] > '5') return false;
    rating = rest_[0] - '0';
    rest_.remove_prefix(1);
    return true;
  }

  bool take(Attributes& attributes) {
    auto begin = rest_.size();
    char separator = '{';
    std::string name;
    while (take(separator)) {
      AttributeValue value;
      if (!take(name) || !is_attribute_name(name) || !take(':') || !take(value)) return false;
      if (!attributes.empty() && name <= attributes.rbegin()->first) return false;
      attributes.emplace_hint(attributes.end(), name, std::move(value));
      separator = ',';
    }
    return !attributes.empty() && attributes.size() <= limits::attributes && take('}') &&
           begin - rest_.size() <= limits::attributes_bytes;
  }

  bool take(Media& media) {
    char separator = '[';
    while (take(separator)) {
      auto& picture = media.emplace_back();
      if (!take(R"({"url":)") || !take(picture.url) || !take_size(picture) || !take(R"(,"alt":)") ||
          !take(picture.alt) || !take('}'))
        return false;
      separator = ',';
    }
    std::vector<FieldError> errors;
    check(media, errors);
    return !media.empty() && errors.empty() && take(']');
  }

  bool take(std::optional<Reply>& reply) {
    std::string time;
    auto& taken = reply.emplace();
    if (!take(R"({"author":)") || !take(taken.author) || !take(R"(,"text":)") ||
        !take(taken.text) || !take(R"(,"created_at":)") || !take(time) || !take('}'))
      return false;
    auto ms = parse_time(time);
    taken.created_ms = ms.value_or(0);
    std::vector<FieldError> errors;
    check(taken, errors);
    return ms && errors.empty();
  }

 private:
  // A picture may have no size.
  bool take_size(Picture& picture) {
    if (!take(R"(,"width":)")) return true;
    return take_pixels(picture.width) && take(R"(,"height":)") && take_pixels(picture.height);
  }

  bool take_pixels(std::uint32_t& side) {
    std::int64_t number = 0;
    if (!take(number) || number < 1 || number > limits::picture_pixels) return false;
    side = static_cast<std::uint32_t>(number);
    return true;
  }

  // The bytes from the next quote to the end; 0: there is none.
  std::size_t from_quote() const { return rest_.size() - std::min(rest_.find('"'), rest_.size()); }

  bool take(AttributeValue& value) {
    if (rest_.starts_with('"')) return take_text(value.emplace<std::string>());
    if (rest_.starts_with('[')) return take(value.emplace<Strings>());
    if (take("true")) return value.emplace<bool>(true);
    if (take("false")) return !value.emplace<bool>(false);
    return take(value.emplace<std::int64_t>());
  }

  bool take_text(std::string& text) { return take(text) && is_attribute_text(text); }

  bool take(Strings& strings) {
    if (take("[]")) return true;
    char separator = '[';
    while (take(separator)) {
      std::string text;
      if (!take_text(text)) return false;
      if (std::find(strings.begin(), strings.end(), text) != strings.end()) return false;
      strings.push_back(std::move(text));
      separator = ',';
    }
    return strings.size() <= limits::attribute_texts && take(']');
  }

  bool take(std::int64_t& number) {
    auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (failed != std::errc{} || !is_attribute_number(number)) return false;
    std::string_view digits(rest_.data(), static_cast<std::size_t>(end - rest_.data()));
    rest_.remove_prefix(digits.size());
    return digits == std::to_string(number);  // no zero or sign that a number need not have
  }

  std::string_view rest_;
};

bool read(WrittenReader& reader, Comment& comment) {
  std::string_view text;
  if (!reader.take(R"({"id":)") || !reader.take_plain(text)) return false;
  auto id = Ulid::parse(text);
  if (!id) return false;
  comment.id = *id;
  bool read = reader.take(R"(,"product":)") && reader.take(comment.product) &&
              reader.take(R"(,"language":)") && reader.take(comment.language) &&
              reader.take(R"(,"rating":)") && reader.take(comment.rating) &&
              reader.take(R"(,"created_at":)") && reader.take_plain(text) &&
              reader.take(R"(,"author":)") && reader.take(comment.author) &&
              reader.take(R"(,"title":)") && reader.take(comment.title) &&
              reader.take(R"(,"text":)") && reader.take(comment.text);
  if (read && reader.take(R"(,"attributes":)")) read = reader.take(comment.attributes);
  if (read && reader.take(R"(,"media":)")) read = reader.take(comment.media);
  if (read && reader.take(R"(,"reply":)")) read = reader.take(comment.reply);
  return read && reader.take('}') && reader.at_end();
}

}  // namespace

// The comment is large, so it is read where the caller gets it.
std::optional<Comment> written_comment_of(std::string_view json) {
  std::optional<Comment> comment(std::in_place);
  WrittenReader reader(json);
  if (!characters(json, "") || !read(reader, *comment)) comment.reset();
  return comment;
}

}  // namespace quire
