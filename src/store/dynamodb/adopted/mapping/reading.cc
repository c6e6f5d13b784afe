#include "store/dynamodb/adopted/mapping/reading.h"

#include <fmt/format.h>

#include "base/text.h"
#include "mapping/comment_fields.h"
#include "model/additions.h"
#include "model/attributes.h"
#include "model/validate.h"
#include "store/dynamodb/adopted/mapping/record.h"

namespace quire::adopted {

namespace {

using dynamodb::Item;

// What no value of a mapping has told: a comment has no such product or text.
Reason check_texts(const MappedRow& row) {
  if (!is_product_name(row.product))
    return reason_of("The product is no name of 1 to 256 bytes", row.product);
  std::pair<std::string_view, std::string_view> texts[] = {
      {"author", row.author}, {"title", row.title}, {"text", row.text}};
  for (auto [name, text] : texts)
    if (!characters(text, "\n\t")) return fmt::format("The {} is no UTF-8.", name);
  return {};
}

std::string without_blanks(std::string text) {
  if (is_blank(text)) text.clear();
  return text;
}

// A reply that no comment may have is left out.
std::optional<Reply> valid(std::optional<Reply> reply) {
  std::vector<FieldError> errors;
  if (reply) check(*reply, errors);
  return errors.empty() ? std::move(reply) : std::nullopt;
}

Comment comment_of(MappedRow row, const Ulid& id) {
  Comment comment{.id = id};
  comment.product = std::move(row.product);
  comment.language = row.language.empty() ? "und" : std::move(row.language);
  comment.rating = row.rating;
  comment.author = without_blanks(std::move(row.author));
  comment.title = without_blanks(std::move(row.title));
  comment.text = without_blanks(std::move(row.text));
  comment.attributes = std::move(row.attributes);
  for (auto& address : row.pictures) comment.media.push_back({.url = std::move(address)});
  comment.reply = valid(std::move(row.reply));
  return comment;
}

// Why the record is no comment. Empty: it is in `row`.
Reason read_row(const Mapping& mapping, const Record& record, MappedRow& row) {
  Remarks left_out;
  if (auto reason = read_fields(mapping, {}, record, row); !reason.empty()) return reason;
  if (auto reason = check_texts(row); !reason.empty()) return reason;
  if (auto id = prose_in(record, mapping.id); is_attribute_text(id))
    row.attributes.emplace(id_attribute, id);
  auto reason = read_attributes(record, mapping.attributes, row.attributes, left_out);
  if (!reason.empty()) return reason;
  read_pictures(mapping, record, row, left_out);
  read_reply(mapping, record, row, left_out);
  return {};
}

}  // namespace

bool admits(const Mapping& mapping, const Item& item) {
  return mapping.when.empty() || quire::admits(record_of(item, mapping.paths), mapping.when);
}

std::optional<Ulid> id_in(const Mapping& mapping, const KeyNames& names, const Item& item) {
  auto key = encode_key(names, item);
  std::uint64_t created_ms = 0;
  auto record = record_of(item, mapping.paths);
  auto wrong = read_time(record, mapping.created_at, mapping.zone, created_ms);
  if (!key || !wrong.empty()) return {};
  return id_of(created_ms, *key);
}

// What is not published may be of any form.
Reading read_item(const Mapping& mapping, const KeyNames& names, const Item& item) {
  Reading out;
  auto key = encode_key(names, item);
  if (key) out.key = std::move(*key);
  auto record = record_of(item, mapping.paths);
  if (!quire::admits(record, mapping.when)) return out;
  if (!key) return {{}, {}, "It has no primary key."};
  MappedRow row;
  out.reason = read_status(record, mapping.status, row.moderation);
  bool published = row.moderation.status == CommentStatus::published;
  if (!out.reason.empty() || !published) return out;
  out.reason = read_row(mapping, record, row);
  if (!out.reason.empty()) return out;
  auto id = id_of(row.created_ms, out.key);
  out.comment = comment_of(std::move(row), id);
  return out;
}

}  // namespace quire::adopted
