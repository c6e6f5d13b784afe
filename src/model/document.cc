#include "model/document.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <boost/json.hpp>
#include <cstring>

#include "model/additions.h"
#include "model/attributes.h"

namespace quire {
namespace {

namespace json = boost::json;

constexpr char version = 1, customer_version = 2;
constexpr std::size_t header_size = 10;  // version, language (8), rating
constexpr std::size_t customer_header_size = header_size + CustomerHash::size;

std::size_t header_size_of(std::string_view document) {
  bool of_customer = !document.empty() && document[0] == customer_version;
  return of_customer ? customer_header_size : header_size;
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out += ",\"";
  out += name;
  out += "\":";
  append_json_string(out, value);
}

std::optional<Comment> comment_of(const json::object& object) {
  Comment comment;
  auto text = [&](std::string_view name) { return std::string(object.at(name).as_string()); };
  auto id = Ulid::parse(object.at("id").as_string());
  if (!id) return {};
  comment.id = *id;
  comment.product = text("product");
  comment.language = text("language");
  auto rating = object.at("rating").as_int64();
  if (!list_facets[language_facet].parse(comment.language) || rating < 1 || rating > 5) return {};
  comment.rating = static_cast<int>(rating);
  comment.author = text("author");
  comment.title = text("title");
  comment.text = text("text");
  if (const auto* value = object.if_contains("attributes")) {
    auto attributes = attributes_of(*value);
    if (!attributes || attributes->empty()) return {};
    comment.attributes = std::move(*attributes);
  }
  std::vector<FieldError> errors;
  if (const auto* value = object.if_contains("media")) comment.media = media_in(*value, errors);
  if (const auto* value = object.if_contains("reply"))
    comment.reply = reply_in(*value, true, errors);
  auto moderation = moderation_of(object);
  if (!moderation || !errors.empty()) return {};
  comment.moderation = std::move(*moderation);
  if (const auto* value = object.if_contains("customer")) {
    comment.customer = CustomerHash::parse(value->as_string());
    if (!comment.customer) return {};
  }
  return comment;
}

// Whether the header has the comment's values.
bool agrees(const Cell& header, const Comment& comment) {
  auto language = list_facets[language_facet].parse(comment.language);
  return language && Cell{*language, static_cast<FacetValue>(comment.rating)} == header;
}

// Whether a JSON string has the character as it is.
bool inert(unsigned char c) {
  return c >= 0x20 && c != '"' && c != '\\';
}

using Vector [[gnu::vector_size(16)]] = unsigned char;

bool all_inert(const char* text) {
  Vector bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  auto found = (bytes < 0x20) | (bytes == '"') | (bytes == '\\');
  std::uint64_t halves[2];
  std::memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

// How many characters at the beginning are inert: all, or whole vectors of them.
std::size_t inert_bytes(std::string_view text) {
  std::size_t at = 0;
  for (; at + sizeof(Vector) <= text.size(); at += sizeof(Vector))
    if (!all_inert(text.data() + at)) return at;
  bool last = at > 0 && all_inert(text.data() + text.size() - sizeof(Vector));
  return last ? text.size() : at;
}

}  // namespace

std::optional<CustomerHash> customer_of(std::string_view document) {
  if (document.size() <= customer_header_size || document[0] != customer_version) return {};
  CustomerHash customer;
  std::memcpy(customer.bytes.data(), document.data() + header_size, customer.bytes.size());
  return customer;
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  out += '"';
  std::size_t clean = 0;
  for (std::size_t i = inert_bytes(text); i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (inert(c)) continue;
    out.append(text, clean, i - clean);
    clean = i + 1;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    }
    i += inert_bytes(text.substr(i + 1));
  }
  out.append(text, clean);
  out += '"';
}

std::string_view damaged_document() {
  static constexpr std::array<char, header_size> header{};
  return {header.data(), header.size()};
}

bool is_damaged(std::string_view document) {
  return document.size() == header_size && document[0] == 0;
}

std::string encode_document(const Comment& comment, Members members) {
  return encode_document(
      CommentView{comment.id, comment.product, comment.language, comment.rating, comment.author,
                  comment.title, comment.text, comment.attributes, &comment.moderation,
                  comment.customer, &comment.media, &comment.reply},
      members);
}

std::string encode_document(const CommentView& comment, Members members) {
  Cell facet_values = cell(comment.language, comment.rating);
  std::string out;
  out.reserve(customer_header_size + 200 + comment.product.size() + comment.author.size() +
              comment.title.size() + comment.text.size());
  out += comment.customer ? customer_version : version;
  for (int shift = 56; shift >= 0; shift -= 8) {
    out += static_cast<char>(facet_values[language_facet] >> shift & 0xff);
  }
  out += static_cast<char>(comment.rating);
  if (comment.customer) out += comment.customer->view();
  out += "{\"id\":\"" + comment.id.text() + "\"";
  append_field(out, "product", comment.product);
  append_field(out, "language", comment.language);
  out += ",\"rating\":" + std::to_string(comment.rating);
  append_field(out, "created_at", time_text(comment.id.ms()));
  append_field(out, "author", comment.author);
  append_field(out, "title", comment.title);
  append_field(out, "text", comment.text);
  if (!comment.attributes.empty()) {
    out += ",\"attributes\":";
    append_json(out, comment.attributes);
  }
  if (comment.media) append_media(out, *comment.media);
  if (comment.reply) append_reply(out, *comment.reply);
  if (comment.moderation) append_moderation(out, *comment.moderation, members);
  out += '}';
  return out;
}

std::string_view document_json(std::string_view document) {
  auto header = header_size_of(document);
  return document.size() > header ? document.substr(header) : std::string_view("null");
}

std::string exported_json(std::string_view document) {
  std::string json(document_json(document));
  auto customer = customer_of(document);
  if (!customer) return json;
  json.pop_back();
  return json + ",\"customer\":\"" + customer->text() + "\"}";
}

std::string document_tag(std::string_view document) {
  constexpr char hex[] = "0123456789abcdef";
  auto json = document_json(document);
  auto hash = XXH3_64bits(json.data(), json.size());
  std::string tag = "\"";
  for (int shift = 60; shift >= 0; shift -= 4) tag += hex[hash >> shift & 15];
  return tag + '"';
}

Cell document_cell(std::string_view document) {
  if (document.size() < header_size) return {};
  auto byte = [&](std::size_t i) { return FacetValue{static_cast<unsigned char>(document[i])}; };
  FacetValue language = 0;
  for (std::size_t i = 1; i < header_size - 1; ++i) language = language << 8 | byte(i);
  return {language, byte(header_size - 1)};
}

std::optional<Comment> comment_of(std::string_view text) try {
  return comment_of(json::parse(text).as_object());
} catch (const std::exception&) {  // a field is missing, or of another type, or it is not JSON
  return {};
}

std::optional<Comment> decode_document(std::string_view document) {
  bool known = !document.empty() && (document[0] == version || document[0] == customer_version);
  bool whole = known && document.size() > header_size_of(document);
  auto json = document_json(document);
  auto comment = whole ? written_comment_of(json) : std::optional<Comment>();
  if (whole && !comment) comment = comment_of(json);
  if (comment && !agrees(document_cell(document), *comment)) comment.reset();
  if (comment) comment->customer = customer_of(document);
  return comment;
}

}  // namespace quire
