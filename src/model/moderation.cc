#include "model/moderation.h"

#include <boost/json.hpp>

#include "base/limits.h"
#include "base/text.h"
#include "model/document.h"
#include "model/validate.h"

namespace quire {
namespace {

constexpr std::array<std::string_view, 3> statuses = {"published", "pending", "rejected"};

void append(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out.append(",\"").append(name).append("\":");
  append_json_string(out, value);
}

// Whether it looks like an address of mail: a mail server alone knows more.
bool is_mail(std::string_view text) {
  auto at = text.rfind('@');
  bool parts = at != text.npos && at > 0 && at + 1 < text.size();
  return parts && text.size() <= limits::mail_bytes && characters(text, "") &&
         text.find_first_of(" ,;<>") == text.npos;
}

}  // namespace

std::string_view status_name(CommentStatus status) {
  return statuses[static_cast<std::size_t>(status)];
}

void anonymize(Comment& comment) {
  std::erase_if(comment.attributes, [](const auto& each) {
    return std::holds_alternative<std::string>(each.second) ||
           std::holds_alternative<std::vector<std::string>>(each.second);
  });
  comment.moderation.note.clear();
  // Names what stays, so that a new member does not stay by accident.
  comment = {.id = comment.id,
             .product = std::move(comment.product),
             .language = std::move(comment.language),
             .rating = comment.rating,
             .attributes = std::move(comment.attributes),
             .moderation = std::move(comment.moderation)};
}

std::optional<CommentStatus> parse_status(std::string_view name) {
  auto at = std::find(statuses.begin(), statuses.end(), name);
  if (at == statuses.end()) return {};
  return static_cast<CommentStatus>(at - statuses.begin());
}

bool is_reason(std::string_view text) {
  return std::find(reasons.begin(), reasons.end(), text) != reasons.end();
}

void append_moderation(std::string& out, const Moderation& moderation, Members members) {
  bool published = moderation.status == CommentStatus::published;
  if (!published || members == Members::moderators)
    append(out, "status", status_name(moderation.status));
  if (moderation.status == CommentStatus::rejected) append(out, "reason", moderation.reason);
  if (members == Members::shown) return;
  append(out, "note", moderation.note);
  append(out, "held_by", moderation.held_by);
  if (moderation.held_ms > 0) append(out, "held_at", time_text(moderation.held_ms));
  if (members == Members::kept && published && moderation.decided) out += ",\"decided\":true";
}

std::optional<Moderation> moderation_of(const boost::json::object& members) {
  Moderation moderation;
  bool whole = true;
  auto text = [&](std::string_view name) -> std::string {
    const auto* value = members.if_contains(name);
    if (!value || value->is_null()) return {};
    if (value->is_string()) return std::string(value->get_string());
    whole = false;
    return {};
  };
  if (auto name = text("status"); !name.empty()) {
    auto status = parse_status(name);
    if (!status) return {};
    moderation.status = *status;
  }
  moderation.reason = text("reason");
  moderation.note = text("note");
  moderation.held_by = text("held_by");
  if (auto at = text("held_at"); !at.empty()) {
    auto ms = parse_time(at);
    if (!ms) return {};
    moderation.held_ms = *ms;
  }
  if (const auto* value = members.if_contains("decided")) {
    if (!value->is_bool()) return {};
    moderation.decided = value->get_bool();
  }
  // Members that the status does not have were not written by Quire.
  if (moderation.status != CommentStatus::rejected) moderation.reason.clear();
  if (moderation.status != CommentStatus::published) moderation.decided = false;
  if (!whole) return {};
  return moderation;
}

void append_contact(std::string& out, const Contact& contact) {
  append(out, "name", contact.name);
  append(out, "mail", contact.mail);
  if (contact.decided_ms > 0) append(out, "decided_at", time_text(contact.decided_ms));
}

Status check(const Report& report) {
  std::vector<FieldError> errors;
  auto bounded = [&](std::string_view field, std::string_view text, std::size_t max,
                     std::string_view allowed) {
    auto length = characters(text, allowed);
    if (length && *length <= max) return;
    errors.push_back({std::string(field), "must be UTF-8 of at most " + std::to_string(max) +
                                              " characters without control characters"});
  };
  if (!is_reason(report.reason))
    errors.push_back({"reason", "must be " + std::string(reasons_wanted)});
  bounded("note", report.note, limits::note_characters, "\n\t");
  bounded("name", report.contact.name, limits::author_characters, "");
  if (!report.contact.mail.empty() && !is_mail(report.contact.mail))
    errors.push_back({"mail", "must be an address such as ann@example.com, of at most 254 bytes"});
  if (errors.empty()) return Done{};
  return invalid_comment(std::move(errors));
}

std::string report_json(const Ulid& comment, const Report& report, bool with_contact) {
  std::string out = "{\"report\":{\"comment\":\"" + comment.text() + "\",\"person\":\"";
  out += hex(report.person) + "\",\"at\":\"" + time_text(report.at_ms) + "\",\"reason\":";
  append_json_string(out, report.reason);
  out += ",\"note\":";
  append_json_string(out, report.note);
  if (with_contact) append_contact(out, report.contact);
  return out + (report.answered ? ",\"answered\":true}}" : "}}");
}

Result<Moderation> decided(Moderation present, const Patch& patch, std::uint64_t now_ms) {
  bool was_published = present.status == CommentStatus::published;
  if (patch.status) {
    present.status = *patch.status;
    present.decided = *patch.status == CommentStatus::published;
    present.reason.clear();
  }
  if (patch.reason) present.reason = *patch.reason;
  if (patch.note) present.note = *patch.note;
  bool rejected = present.status == CommentStatus::rejected;
  if (rejected && present.reason.empty())
    return invalid_comment(
        {{"reason", "is needed to reject a comment: " + std::string(reasons_wanted)}});
  if (!rejected && !present.reason.empty())
    return invalid_comment({{"reason", "belongs to a rejection: send status rejected with it"}});
  if (present.status == CommentStatus::published) {
    present.held_ms = 0;
    present.held_by.clear();
  } else if (was_published) {
    present.held_ms = now_ms;
  }
  return present;
}

Moderation held(Moderation present, std::string_view rule, std::uint64_t now_ms) {
  if (present.status != CommentStatus::pending) present.held_ms = now_ms;
  present.status = CommentStatus::pending;
  present.held_by = rule;
  present.reason.clear();
  present.decided = false;
  return present;
}

}  // namespace quire
