#include "mapping/conversion.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "mapping/path.h"
#include "mapping/replies.h"
#include "mapping/row.h"
#include "mapping/values/words.h"
#include "model/attributes.h"
#include "model/facets.h"

namespace quire {
namespace {

// Bits of the hash that are not those of the comment's id.
std::uint64_t seen_bits(const Digest& hash) {
  std::uint64_t bits = 0;
  for (std::size_t i = 10; i < 18; ++i) bits = bits << 8 | hash[i];
  return bits;
}

Reason read_id(const std::string& id, const Digest& hash, MappedRow& row) {
  if (id.empty()) return {};
  if (!is_attribute_text(id)) return reason_of("The id is no line of at most 100 characters", id);
  row.id = id_of(row.created_ms, hash);
  row.attributes.insert_or_assign(std::string(source_id_attribute), id);
  return {};
}

// "DD.MM.YYYY HH:mm" for "3.4.2025 10:00", or with the month first.
std::string format_of(std::string_view date, bool month_first) {
  auto separator = date.find_first_not_of("0123456789");
  auto year = date.find(date[separator], separator + 1) + 1;
  auto end = std::min(date.find_first_not_of("0123456789", year), date.size());
  std::string_view day = month_first ? "MM" : "DD", month = month_first ? "DD" : "MM";
  auto format = fmt::format("{0}{1}{2}{1}{3}", day, date[separator], month,
                            std::string_view("YYYY").substr(0, end - year));
  auto time = date.substr(end);
  auto colons = std::count(time.begin(), time.end(), ':');
  if (colons == 0) return format;
  bool halves = time.ends_with('M') || time.ends_with('m');
  return format + time.front() + (halves ? "h:mm" : "HH:mm") + (colons > 1 ? ":ss" : "") +
         (halves ? " A" : "");
}

}  // namespace

Conversion::Conversion(const FileMapping& mapping, Given given)
    : mapping_(mapping), given_(std::move(given)) {
  if (!mapping_.reply.of.empty()) {
    replies_ = std::make_unique<Replies>();
    parent_ = mapping_.id.value_or(MappedField());  // its words change both alike
    parent_->columns = {mapping_.reply.of};
    parent_->fallback.reset();
  }
  if (!mapping_.product && given_.product.empty())
    refuse({ErrorCode::invalid_parameter,
            "The mapping names no product. Write product = { column = \"NAME\" }, or give "
            "--product.",
            "product"});
  if (!given_.language.empty() && !canonical_language(given_.language))
    refuse({ErrorCode::invalid_parameter,
            "--language is a language tag such as en, pt-BR or zh-Hant.", "language"});
}

Conversion::~Conversion() = default;

void Conversion::refuse(Error error) {
  if (!refused_) refused_ = std::move(error);
}

// The id of the comment that the record answers. Empty: it is a comment itself.
std::string Conversion::answered_by(const Record& record) const {
  if (!replies_) return {};
  auto id = prose_in(record, parent_);
  if (id.empty()) id = found_in(record, *parent_).unfit;
  return id == "0" ? "" : id;
}

std::set<std::string, std::less<>> Conversion::looked_at() const {
  CommentMapping dates;
  dates.created_at = mapping_.created_at;
  dates.reply.created_at = mapping_.reply.created_at;
  dates.when = mapping_.when;
  std::set<std::string, std::less<>> names;
  const CommentMapping& all = mapping_;  // replies are kept whole
  for (const auto& path : paths_of(replies_ ? all : dates)) add_first_names(path, names);
  return names;
}

void Conversion::look(const Record& record) {
  if (refused_) return;
  if (auto comment = answered_by(record); !comment.empty()) return look_at_reply(record, comment);
  if (!admits(record, mapping_.when)) return;
  look_at_time(record, mapping_.created_at, "created_at");
  if (mapping_.reply.created_at && !replies_)
    look_at_time(record, *mapping_.reply.created_at, "created_at of [reply]");
}

void Conversion::look_at_time(const Record& record, const MappedField& field,
                              std::string_view name) {
  if (!field.formats.empty()) return;
  auto found = time_in(record, field, mapping_.zone);
  const auto* why = std::get_if<NoTime>(&found.time);
  if (!why || *why != NoTime::two_meanings) return;
  refuse({ErrorCode::invalid_parameter,
          fmt::format("Line {}: the date {} has two meanings. Write format = \"{}\" or format = "
                      "\"{}\" in {} of the mapping.",
                      record.line, found.text, format_of(found.text, false),
                      format_of(found.text, true), name),
          "map"});
}

// A reply that has a row of its own is as a comment is, but for what [reply] says.
void Conversion::look_at_reply(const Record& record, const std::string& comment) {
  const auto& reply = mapping_.reply;
  const auto& created_at = reply.created_at ? *reply.created_at : mapping_.created_at;
  look_at_time(record, created_at, reply.created_at ? "created_at of [reply]" : "created_at");
  if (!admits(record, reply.when)) {
    ++remarks_["replies that when of [reply] does not admit"];
    return;
  }
  Moderation moderation;
  bool known = read_status(record, mapping_.status, moderation).empty();
  if (!known || moderation.status != CommentStatus::published) {
    ++remarks_["replies that are not published"];
    return;
  }
  auto text = prose_in(record, reply.text ? reply.text : mapping_.text);
  if (text.empty()) {
    ++remarks_["replies without a text"];
    return;
  }
  auto author = prose_in(record, reply.author ? reply.author : mapping_.author);
  auto time = time_in(record, created_at, mapping_.zone);
  auto added = replies_->add(comment, {std::move(author), std::move(text), time.ms()});
  if (!added) refuse(std::move(added).error());
}

Status Conversion::looked() const {
  if (refused_) return *refused_;
  return Done{};
}

// The reply that has a row of its own.
void Conversion::take_reply(const std::string& id, MappedRow& row) {
  auto found = replies_->take(id);
  if (!found) return refuse(std::move(found).error());
  if (!found->first) return;
  auto& [author, text, ms] = *found->first;
  row.reply = Reply{std::move(author), std::move(text), ms.value_or(row.created_ms)};
  if (found->count > 1) remarks_["further replies"] += found->count - 1;
}

ConvertedRecord Conversion::convert(const Record& record) {
  if (!answered_by(record).empty()) return PassedOver{"replies in rows of their own"};
  if (!admits(record, mapping_.when)) return PassedOver{"records that when does not admit"};
  auto id = prose_in(record, mapping_.id);
  auto hash = id.empty() ? Digest() : hash_of(mapping_.source, id);
  auto bits = seen_bits(hash);
  if (!id.empty() && seen_.contains(bits)) return PassedOver{"the same id again"};
  MappedRow row;
  if (auto reason = read_fields(mapping_, given_, record, row); !reason.empty())
    return Rejected{std::move(reason)};
  if (auto reason = read_id(id, hash, row); !reason.empty()) return Rejected{std::move(reason)};
  if (auto reason = read_attributes(record, mapping_.attributes, row.attributes, remarks_);
      !reason.empty())
    return Rejected{std::move(reason)};
  if (!id.empty()) seen_.insert(bits);
  read_pictures(mapping_, record, row, remarks_);
  if (replies_)
    take_reply(id, row);
  else
    read_reply(mapping_, record, row, remarks_);
  return ConvertedRow{json_of(row)};
}

Remarks Conversion::remarks() const {
  auto all = remarks_;
  if (replies_ && replies_->left() > 0)
    all["replies to comments that were not taken"] = replies_->left();
  return all;
}

}  // namespace quire
