#include "model/comment_json.h"

#include <boost/json.hpp>

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "base/try.h"
#include "model/additions.h"
#include "model/attributes.h"
#include "model/document.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire {

namespace {

namespace json = boost::json;

constexpr std::size_t max_depth = 8;
constexpr std::string_view rating_wanted = "must be a whole number from 1 to 5";

// Reads an object field by field, and collects the errors.
class ObjectReader {
 public:
  // `kindly`: see bring_into_form().
  static Result<ObjectReader> of(std::string_view text, bool kindly = false) {
    TRY(auto value, parse_unique(text, max_depth));
    if (kindly) bring_into_form(value);
    if (!value.is_object()) {
      return Error{ErrorCode::invalid_comment, "This must be a JSON object."};
    }
    return ObjectReader(std::move(value.as_object()));
  }

  // The value of the field; absent: there is no such field, or it is not a string.
  std::optional<std::string> text(std::string_view name, bool null_is_empty = false) {
    const auto* value = take(name);
    if (!value) return {};
    if (value->is_string()) return std::string(value->get_string());
    if (null_is_empty && value->is_null()) return "";
    refuse(name, "must be a string");
    return {};
  }

  std::optional<int> rating() {
    const auto* value = take("rating");
    if (!value) return {};
    if (value->is_int64() && value->get_int64() >= 1 && value->get_int64() <= 5) {
      return static_cast<int>(value->get_int64());
    }
    refuse("rating", rating_wanted);
    return {};
  }

  std::optional<std::uint64_t> time(std::string_view name = "created_at") {
    auto value = text(name);
    if (!value) return {};
    auto ms = parse_time(*value);
    if (!ms)
      refuse(name, "must be an RFC 3339 time from 1970 to 9999, such as 2024-11-20T12:01:00.123Z");
    return ms;
  }

  std::optional<Ulid> id() {
    auto value = text("id");
    if (!value) return {};
    auto id = Ulid::parse(*value);
    if (id && id->ms() <= max_time_ms) return id;
    refuse("id", "must be a ULID, 26 characters, of a time from 1970 to 9999");
    return {};
  }

  // Calls `each` with the name and the JSON of every attribute.
  template <class Each>
  void attributes(Each each) {
    const auto* value = take("attributes");
    if (!value) return;
    if (!value->is_object()) return refuse("attributes", R"(must be an object: {"size": "M"})");
    for (const auto& [name, json] : value->get_object()) each(std::string_view(name), json);
  }

  // The value of an attribute. Absent: it is wrong.
  std::optional<AttributeValue> attribute(std::string_view name, const json::value& json) {
    std::string_view wrong;
    auto value = attribute_of(json, wrong);
    if (!value) refuse("attributes." + std::string(shortened(name)), wrong);
    return value;
  }

  // The pictures; null: none. Absent: there is no such field.
  std::optional<Media> media() {
    const auto* value = take("media");
    if (!value) return {};
    if (value->is_null()) return Media();
    return media_in(*value, fields_);
  }

  std::optional<Reply> reply() {
    const auto* value = take("reply");
    if (!value) return {};
    return reply_in(*value, true, fields_);
  }

  std::optional<CommentStatus> status() {
    auto value = text("status");
    if (!value) return {};
    auto status = parse_status(*value);
    if (!status) refuse("status", "must be published, pending or rejected");
    return status;
  }

  std::optional<std::string> reason() {
    auto value = text("reason");
    if (!value || is_reason(*value)) return value;
    refuse("reason", "must be " + std::string(reasons_wanted));
    return {};
  }

  std::optional<std::string> note() {
    auto value = text("note", true);
    if (!value) return {};
    auto length = characters(*value, "\n\t");
    if (length && *length <= limits::note_characters) return value;
    refuse("note", "must be UTF-8 of at most 1000 characters without control characters");
    return {};
  }

  bool flag(std::string_view name) {
    const auto* value = take(name);
    if (value && !value->is_bool()) refuse(name, "must be true or false");
    return value && value->is_bool() && value->get_bool();
  }

  // A reader of the object in the field, which must be the only one.
  Result<ObjectReader> inner(std::string_view name) {
    auto* value = object_.if_contains(name);
    bool alone = value && value->is_object() && object_.size() == 1;
    if (!alone) return invalid_comment({{std::string(name), "must be an object, and alone"}});
    return ObjectReader(std::move(value->as_object()));
  }

  std::optional<CustomerHash> customer() {
    auto value = text("customer");
    if (!value) return {};
    auto customer = CustomerHash::parse(*value);
    if (!customer) refuse("customer", "must be 43 characters of base64url, as an export has it");
    return customer;
  }

  // Whether the field is there and null.
  bool take_null(std::string_view name) {
    const auto* value = take(name);
    return value && value->is_null();
  }

  bool has(std::string_view name) const { return object_.contains(name); }
  // Whether the field is there, and not null.
  bool gives(std::string_view name) const {
    const auto* value = object_.if_contains(name);
    return value && !value->is_null();
  }

  void refuse(std::string_view name, std::string_view message) {
    fields_.push_back({std::string(name), std::string(message)});
  }

  // Call it after all reads. Gathers their errors, the errors of the values, and the fields that
  // were not read: a misspelt field is refused and not ignored.
  Status finish(const Status& values = Done{}) {
    for (const auto& field : values ? std::vector<FieldError>{} : values.error().fields) {
      if (!named(field.field)) fields_.push_back(field);
    }
    for (const auto& field : object_) {
      if (fields_.size() == limits::reported_fields) break;
      if (std::find(taken_.begin(), taken_.end(), field.key()) == taken_.end()) {
        refuse(shortened(field.key()), "is not a field of a comment");
      }
    }
    if (fields_.empty()) return Done{};
    if (fields_.size() > limits::reported_fields) fields_.resize(limits::reported_fields);
    return invalid_comment(std::move(fields_));
  }

 private:
  explicit ObjectReader(json::object object) : object_(std::move(object)) {}

  bool named(std::string_view name) const {
    return std::any_of(fields_.begin(), fields_.end(),
                       [&](const FieldError& field) { return field.field == name; });
  }

  const json::value* take(std::string_view name) {
    taken_.push_back(name);
    return object_.if_contains(name);
  }

  json::object object_;
  std::vector<std::string_view> taken_;
  std::vector<FieldError> fields_;
};

// The decision that comes with a comment. Its time is set by those who know it.
void read_decision(ObjectReader& reader, Draft& draft) {
  Patch patch{.status = reader.status(), .reason = reader.reason(), .note = reader.note()};
  if (!patch.decides()) return;
  auto moderation = decided({}, patch, 0);
  if (moderation) draft.moderation = std::move(*moderation);
  for (const auto& field : moderation ? std::vector<FieldError>{} : moderation.error().fields)
    reader.refuse(field.field, field.message);
}

Draft read_draft(ObjectReader& reader) {
  Draft draft;
  draft.language = reader.text("language").value_or("und");
  if (!reader.has("rating")) reader.refuse("rating", "is missing");
  draft.rating = reader.rating().value_or(1);
  draft.author = reader.text("author").value_or("");
  draft.title = reader.text("title").value_or("");
  draft.text = reader.text("text").value_or("");
  draft.created_ms = reader.time();
  reader.attributes([&](std::string_view name, const json::value& json) {
    if (auto value = reader.attribute(name, json)) draft.attributes.emplace(name, *value);
  });
  draft.media = reader.media().value_or(Media());
  return draft;
}

void read_attributes(ObjectReader& reader, Patch& patch) {
  patch.clear_attributes = reader.take_null("attributes");
  if (patch.clear_attributes) return;
  reader.attributes([&](std::string_view name, const json::value& json) {
    std::optional<AttributeValue> value;
    if (!json.is_null()) value = reader.attribute(name, json);
    if (json.is_null() || value) patch.attributes.emplace(name, std::move(value));
  });
}

Report read_report(ObjectReader& reader) {
  Report report{};
  report.reason = reader.text("reason").value_or("");
  report.note = reader.text("note", true).value_or("");
  report.contact.name = reader.text("name", true).value_or("");
  report.contact.mail = reader.text("mail", true).value_or("");
  return report;
}

Result<ReportRow> report_row(ObjectReader& reader) {
  ReportRow row{};
  row.report = read_report(reader);
  auto comment = Ulid::parse(reader.text("comment").value_or(""));
  auto person = parse_hex<16>(reader.text("person").value_or(""));
  auto at = reader.time("at");
  if (!comment) reader.refuse("comment", "must be the id of a comment");
  if (!person) reader.refuse("person", "must be 32 digits of hex");
  row.report.answered = reader.flag("answered");
  auto decided = reader.time("decided_at").value_or(0);
  if (!row.report.contact.none()) row.report.contact.decided_ms = decided;
  TRY_DONE(reader.finish(check(row.report)));
  row.comment = *comment;
  row.report.person = *person;
  row.report.at_ms = at.value_or(0);
  return row;
}

// The decision of an earlier time. Only `decided` makes it one that rules and reports respect.
void read_kept_decision(ObjectReader& reader, Moderation& moderation) {
  bool published = moderation.status == CommentStatus::published;
  moderation.decided = reader.flag("decided");
  if (moderation.decided && !published) reader.refuse("decided", "belongs to a published comment");
  auto rule = reader.text("held_by").value_or("");
  if (rule.size() > 32 || rule.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != rule.npos)
    reader.refuse("held_by", "must be the name of a rule, such as links");
  moderation.held_by = std::move(rule);
  moderation.held_ms = reader.time("held_at").value_or(0);
}

std::uint8_t lacked_by(const ObjectReader& reader) {
  constexpr std::string_view by_bit[] = {"language", "author", "title", "text", "media"};
  std::uint8_t lacks = 0;
  for (std::size_t bit = 0; bit < std::size(by_bit); ++bit)
    if (!reader.gives(by_bit[bit])) lacks |= 1 << bit;
  return lacks;
}

Result<Row> comment_row(ObjectReader& reader) {
  Row row;
  row.lacks = lacked_by(reader);
  row.draft = read_draft(reader);
  row.draft.reply = reader.reply();
  read_decision(reader, row.draft);
  read_kept_decision(reader, row.draft.moderation);
  row.draft.product = reader.text("product").value_or("");
  row.draft.customer = reader.customer();
  row.customer_id = reader.text("customer_id").value_or("");
  if (reader.has("customer_id") && (row.customer_id.empty() || row.customer_id.size() > 128))
    reader.refuse("customer_id", "must have 1 to 128 bytes");
  if (row.draft.customer && !row.customer_id.empty())
    reader.refuse("customer_id", "stands beside customer, which is its hash; leave one out");
  row.id = reader.id();
  auto& ms = row.draft.created_ms;
  if (!ms && row.id && !reader.has("created_at")) ms = row.id->ms();
  if (!reader.has("id") && !reader.has("created_at")) reader.refuse("created_at", "is missing");
  if (row.id && ms && row.id->ms() != *ms) reader.refuse("id", "has another time than created_at");
  TRY_DONE(reader.finish(check(row.draft)));
  return row;
}

}  // namespace

Result<Draft> parse_draft(std::string_view text, std::string_view product) {
  TRY(auto reader, ObjectReader::of(text));
  Draft draft = read_draft(reader);
  draft.decides = reader.has("status") || reader.has("reason") || reader.has("note");
  read_decision(reader, draft);
  draft.product = product;
  TRY_DONE(reader.finish(check(draft)));
  return draft;
}

Result<Patch> parse_patch(std::string_view text) {
  TRY(auto reader, ObjectReader::of(text));
  Patch patch{.language = reader.text("language"),
              .rating = reader.rating(),
              .author = reader.text("author", true),
              .title = reader.text("title", true),
              .text = reader.text("text", true)};
  read_attributes(reader, patch);
  patch.media = reader.media();
  patch.status = reader.status();
  patch.reason = reader.reason();
  patch.note = reader.note();
  TRY_DONE(reader.finish(check(patch)));
  return patch;
}

Result<Reply> parse_reply(std::string_view text) {
  TRY(auto body, parse_unique(text, max_depth));
  std::vector<FieldError> errors;
  auto reply = reply_in(body, false, errors);
  if (!errors.empty()) return invalid_comment(std::move(errors));
  return reply;
}

Result<Report> parse_report(std::string_view text) {
  TRY(auto reader, ObjectReader::of(text));
  auto report = read_report(reader);
  TRY_DONE(reader.finish(check(report)));
  return report;
}

std::string customer_key_json(std::string_view check) {
  std::string out = "{\"customer_key\":";
  append_json_string(out, check);
  return out + "}";
}

std::string removed_json(const Ulid& comment) {
  return "{\"removed\":\"" + comment.text() + "\"}";
}

Result<AnyRow> parse_row(std::string_view text) {
  TRY(auto reader, ObjectReader::of(text, true));
  if (reader.has("removed")) {
    auto comment = Ulid::parse(reader.text("removed").value_or(""));
    if (!comment) reader.refuse("removed", "must be the id of a comment");
    TRY_DONE(reader.finish());
    return AnyRow(RemovedRow{*comment});
  }
  if (reader.has("customer_key")) {
    CustomerKeyRow row{reader.text("customer_key").value_or("")};
    TRY_DONE(reader.finish());
    return AnyRow(std::move(row));
  }
  if (reader.has("report")) {
    TRY(auto inner, reader.inner("report"));
    TRY(auto row, report_row(inner));
    return AnyRow(std::move(row));
  }
  TRY(auto row, comment_row(reader));
  return AnyRow(std::move(row));
}

}  // namespace quire
