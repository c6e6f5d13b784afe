#include "model/validate.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "base/limits.h"
#include "base/text.h"
#include "model/additions.h"
#include "model/attributes.h"
#include "model/facets.h"

namespace quire {
namespace {

// The length and value of the first character of `text`. Length 0: it is not UTF-8.
// Table 3-7 of the Unicode standard: no overlong form, no surrogate, nothing over U+10FFFF.
struct Scalar {
  std::size_t length;
  char32_t value;
};

Scalar scalar(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead};
  std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {0, 0};
  char32_t value = lead & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 0};
    value = value << 6 | (byte(i) & 0x3F);
  }
  bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  bool outside = value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF);
  if (overlong || outside) return {0, 0};
  return {length, value};
}

// Whether the next 16 bytes are of ASCII and no control characters. Those beyond ASCII are below 0.
bool plain_vector(const char* text) {
  using Vector [[gnu::vector_size(16)]] = signed char;
  Vector bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  auto found = bytes < ' ';
  std::uint64_t halves[2];
  std::memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

// How many bytes at the beginning are of ASCII and no control characters; perhaps a few less than
// there are.
std::size_t plain_ascii(std::string_view text) {
  static_assert(std::endian::native == std::endian::little, "the lowest byte is the first");
  constexpr std::uint64_t spaces = 0x2020202020202020, high_bits = 0x8080808080808080;
  std::size_t at = 0;
  while (at + 16 <= text.size() && plain_vector(text.data() + at)) at += 16;
  bool last = at > 0 && at + 16 > text.size();
  if (last && plain_vector(text.data() + text.size() - 16)) return text.size();
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    // A subtraction sets the high bit of a byte below a space.
    auto found = (bytes | (bytes - spaces)) & high_bits;
    if (found) return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
  }
  return at;
}

// White_Space and Default_Ignorable_Code_Point of Unicode 15, as far as they are in use; the blank
// of Braille and those of Hangul.
bool is_unseen(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  constexpr Range unseen[] = {
      {0x00, 0x20},     {0x7F, 0xA0},     {0xAD, 0xAD},     {0x34F, 0x34F},    {0x61C, 0x61C},
      {0x115F, 0x1160}, {0x1680, 0x1680}, {0x17B4, 0x17B5}, {0x180B, 0x180F},  {0x2000, 0x200F},
      {0x2028, 0x202F}, {0x205F, 0x206F}, {0x2800, 0x2800}, {0x3000, 0x3000},  {0x3164, 0x3164},
      {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xE0000, 0xE0FFF}};
  return std::any_of(std::begin(unseen), std::end(unseen),
                     [&](const Range& range) { return range.first <= c && c <= range.last; });
}

// A control character as JSON defines it. DEL and C1 occur in real comments and do no harm.
bool is_control(char32_t c) {
  return c < 0x20;
}

class Fields {
 public:
  void text(std::string_view name, std::string& value, std::size_t max) {
    if (value.find('\r') != value.npos) value = without_returns(value);
    auto length = characters(value, "\n\t");
    if (!length) {
      add(name, "must be UTF-8 without control characters other than newline and tab");
    } else if (*length > max) {
      add(name, "has " + std::to_string(*length) + " characters; at most " + std::to_string(max) +
                    " are kept");
    } else if (is_blank(value)) {
      value.clear();
    }
  }

  void language(std::string& value) {
    auto canonical = canonical_language(value);
    if (canonical) value = std::move(*canonical);
    if (!canonical) add_wanted(language_facet);
  }

  void rating(int value) {
    if (!list_facets[rating_facet].parse(std::to_string(value))) add_wanted(rating_facet);
  }

  // An attribute that is given this name.
  void attribute(const std::string& name) {
    if (is_reserved(name))
      add("attributes." + name,
          "is a name that Quire keeps for itself; give the attribute another name");
  }

  void check_value(auto& value) { quire::check(value, fields_); }

  void add(std::vector<FieldError> errors) {
    std::move(errors.begin(), errors.end(), std::back_inserter(fields_));
  }

  void add(std::string_view name, std::string message) {
    fields_.push_back({std::string(name), std::move(message)});
  }

  Status end() && {
    if (fields_.empty()) return Done{};
    return invalid_comment(std::move(fields_));
  }

 private:
  void add_wanted(ListFacet facet) {
    add(list_facets[facet].name, "must be " + std::string(list_facets[facet].wanted));
  }

  std::vector<FieldError> fields_;
};

}  // namespace

Error invalid_comment(std::vector<FieldError> fields) {
  std::string message = "The content is not valid:";
  for (const auto& field : fields) message += " " + field.field + " " + field.message + ";";
  message.back() = '.';
  return {ErrorCode::invalid_comment, message, {}, std::move(fields)};
}

std::string_view shortened(std::string_view name) {
  std::size_t end = 100;
  if (name.size() <= end) return name;
  while (end > 0 && (name[end] & 0xC0) == 0x80) --end;
  return name.substr(0, end);
}

bool is_blank(std::string_view text) {
  while (!text.empty()) {
    auto [length, value] = scalar(text);
    if (length == 0 || !is_unseen(value)) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::optional<std::size_t> characters(std::string_view text, std::string_view allowed) {
  std::size_t count = 0;
  while (!text.empty()) {
    if (auto plain = plain_ascii(text)) {
      count += plain;
      text.remove_prefix(plain);
      continue;
    }
    auto [length, value] = scalar(text);
    if (length == 0) return {};
    if (is_control(value) && allowed.find(static_cast<char>(value)) == allowed.npos) return {};
    text.remove_prefix(length);
    ++count;
  }
  return count;
}

Error too_many_languages() {
  return invalid_comment({{"language", "is new to this product, whose comments have " +
                                           std::to_string(limits::product_languages) +
                                           " languages already; send one of those"}});
}

bool is_product_name(std::string_view text) {
  bool dots = text == "." || text == "..";  // a path in a URL cannot contain them
  return !text.empty() && !dots && text.size() <= limits::product_bytes && characters(text, "");
}

Status check_product(std::string_view product) {
  if (is_product_name(product)) return Done{};
  return Error{ErrorCode::invalid_parameter,
               "A product is 1 to 256 bytes of UTF-8 without control characters, and neither . nor "
               ".. alone.",
               "product"};
}

Status check(Draft& draft) {
  Fields fields;
  if (!is_product_name(draft.product)) fields.add("product", std::string(product_wanted));
  fields.language(draft.language);
  fields.rating(draft.rating);
  fields.text("author", draft.author, limits::author_characters);
  fields.text("title", draft.title, limits::title_characters);
  fields.text("text", draft.text, limits::text_characters);
  fields.add(check_attributes(draft.attributes));
  for (const auto& each : draft.attributes) fields.attribute(each.first);
  fields.check_value(draft.media);
  if (draft.reply) fields.check_value(*draft.reply);
  if (draft.created_ms && *draft.created_ms > max_time_ms) {
    fields.add("created_at", "must be a time from 1970 to 9999");
  }
  return std::move(fields).end();
}

Status check_time(const Draft& draft, std::uint64_t now_ms) {
  if (draft.created_ms.value_or(0) <= now_ms + limits::future_ms) return Done{};
  return invalid_comment({{"created_at", "must not be later than five minutes from now"}});
}

Status check(Patch& patch) {
  Fields fields;
  if (patch.language) fields.language(*patch.language);
  if (patch.rating) fields.rating(*patch.rating);
  if (patch.author) fields.text("author", *patch.author, limits::author_characters);
  if (patch.title) fields.text("title", *patch.title, limits::title_characters);
  if (patch.text) fields.text("text", *patch.text, limits::text_characters);
  fields.add(check_attributes(patch));
  if (patch.media) fields.check_value(*patch.media);
  if (patch.reply && *patch.reply) fields.check_value(**patch.reply);
  for (const auto& [name, value] : patch.attributes)
    if (value) fields.attribute(name);
  return std::move(fields).end();
}

Comment comment_of(const Ulid& id, Draft draft) {
  return {.id = id,
          .product = std::move(draft.product),
          .language = std::move(draft.language),
          .rating = draft.rating,
          .author = std::move(draft.author),
          .title = std::move(draft.title),
          .text = std::move(draft.text),
          .attributes = std::move(draft.attributes),
          .media = std::move(draft.media),
          .reply = std::move(draft.reply),
          .moderation = std::move(draft.moderation),
          .customer = draft.customer};
}

Result<Comment> patched(Comment comment, const Patch& patch) {
  if (patch.language) comment.language = *patch.language;
  if (patch.rating) comment.rating = *patch.rating;
  if (patch.author) comment.author = *patch.author;
  if (patch.title) comment.title = *patch.title;
  if (patch.text) comment.text = *patch.text;
  if (patch.media) comment.media = *patch.media;
  if (patch.reply) comment.reply = *patch.reply;
  if (patch.clear_attributes) comment.attributes.clear();
  for (const auto& [name, value] : patch.attributes) {
    if (value) comment.attributes.insert_or_assign(name, *value);
    if (!value) comment.attributes.erase(name);
  }
  if (patch.attributes.empty()) return comment;
  auto errors = check_attributes(comment.attributes);
  if (!errors.empty()) return invalid_comment(std::move(errors));
  return comment;
}

}  // namespace quire
