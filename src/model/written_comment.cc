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
class Reader {
 public:
  explicit Reader(std::string_view json) : rest_(json) {}

  bool at_end() const { return rest_.empty(); }

  bool take(std::string_view literal) {
    if (!rest_.starts_with(literal)) return false;
    rest_.remove_prefix(literal.size());
    return true;
  }

  bool take(std::string& string) {
    if (!take("\"")) return false;
    string.clear();
    // A quote that was found is kept until it is passed: a text full of escapes is read once.
    for (auto quoted = from_quote();;) {
      if (rest_.size() < quoted) quoted = from_quote();
      auto end = rest_.size() - quoted;
      end = std::min(rest_.substr(0, end).find('\\'), end);
      string.append(rest_, 0, end);
      rest_.remove_prefix(end);
      if (take("\"")) return true;
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
    std::string_view separator = "{";
    std::string name;
    while (take(separator)) {
      AttributeValue value;
      if (!take(name) || !is_attribute_name(name) || !take(":") || !take(value)) return false;
      if (!attributes.empty() && name <= attributes.rbegin()->first) return false;
      attributes.emplace_hint(attributes.end(), name, std::move(value));
      separator = ",";
    }
    return !attributes.empty() && attributes.size() <= limits::attributes && take("}") &&
           begin - rest_.size() <= limits::attributes_bytes;
  }

  bool take(Media& media) {
    std::string_view separator = "[";
    while (take(separator)) {
      auto& picture = media.emplace_back();
      if (!take(R"({"url":)") || !take(picture.url) || !take(R"(,"width":)") ||
          !take_pixels(picture.width) || !take(R"(,"height":)") || !take_pixels(picture.height) ||
          !take(R"(,"alt":)") || !take(picture.alt) || !take("}"))
        return false;
      separator = ",";
    }
    std::vector<FieldError> errors;
    check(media, errors);
    return !media.empty() && errors.empty() && take("]");
  }

  bool take(std::optional<Reply>& reply) {
    std::string time;
    auto& taken = reply.emplace();
    if (!take(R"({"author":)") || !take(taken.author) || !take(R"(,"text":)") ||
        !take(taken.text) || !take(R"(,"created_at":)") || !take(time) || !take("}"))
      return false;
    auto ms = parse_time(time);
    taken.created_ms = ms.value_or(0);
    std::vector<FieldError> errors;
    check(taken, errors);
    return ms && errors.empty();
  }

 private:
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
    std::string_view separator = "[";
    while (take(separator)) {
      std::string text;
      if (!take_text(text)) return false;
      if (std::find(strings.begin(), strings.end(), text) != strings.end()) return false;
      strings.push_back(std::move(text));
      separator = ",";
    }
    return strings.size() <= limits::attribute_texts && take("]");
  }

  bool take(std::int64_t& number) {
    auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (failed != std::errc{} || !is_attribute_number(number)) return false;
    return take(std::to_string(number));  // no zero or sign that a number need not have
  }

  std::string_view rest_;
};

}  // namespace

std::optional<Comment> written_comment_of(std::string_view json) {
  if (!characters(json, "")) return {};
  Reader reader(json);
  Comment comment;
  std::string text;
  if (!reader.take(R"({"id":)") || !reader.take(text)) return {};
  auto id = Ulid::parse(text);
  if (!id) return {};
  comment.id = *id;
  bool read = reader.take(R"(,"product":)") && reader.take(comment.product) &&
              reader.take(R"(,"language":)") && reader.take(comment.language) &&
              reader.take(R"(,"rating":)") && reader.take(comment.rating) &&
              reader.take(R"(,"created_at":)") && reader.take(text) &&
              reader.take(R"(,"author":)") && reader.take(comment.author) &&
              reader.take(R"(,"title":)") && reader.take(comment.title) &&
              reader.take(R"(,"text":)") && reader.take(comment.text);
  if (read && reader.take(R"(,"attributes":)")) read = reader.take(comment.attributes);
  if (read && reader.take(R"(,"media":)")) read = reader.take(comment.media);
  if (read && reader.take(R"(,"reply":)")) read = reader.take(comment.reply);
  if (!read || !reader.take("}") || !reader.at_end()) return {};
  return comment;
}

}  // namespace quire
