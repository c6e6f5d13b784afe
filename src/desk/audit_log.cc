#include "desk/audit_log.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <cstring>

#include "base/clock.h"
#include "base/try.h"
#include "model/document.h"
#include "model/moderation.h"
#include "model/validate.h"

namespace quire::desk {
namespace {

namespace json = boost::json;

// The members of a line that describe a comment; if there is another state of it, only those that
// differ.
json::object description(const Comment& comment, const Comment* other) {
  json::object out;
  if (!other || comment.language != other->language) out["language"] = comment.language;
  if (!other || comment.rating != other->rating) out["rating"] = comment.rating;
  auto length = [&](const char* name, std::string Comment::*field) {
    if (!other || comment.*field != other->*field)
      out[name] = characters(comment.*field, "\n\t").value_or((comment.*field).size());
  };
  length("author_characters", &Comment::author);
  length("title_characters", &Comment::title);
  length("text_characters", &Comment::text);
  const auto& [status, reason, note, held_by, held_ms, decided] = comment.moderation;
  bool own_status = other ? status != other->moderation.status : !comment.published();
  if (own_status) out["status"] = status_name(status);
  if (!reason.empty() && (!other || reason != other->moderation.reason)) out["reason"] = reason;
  json::array names;
  for (const auto& [name, value] : comment.attributes) {
    auto at = other ? other->attributes.find(name) : Attributes::const_iterator();
    if (!other || at == other->attributes.end() || at->second != value) names.emplace_back(name);
  }
  if (!names.empty()) out["attributes"] = std::move(names);
  bool own_media = other ? comment.media != other->media : !comment.media.empty();
  if (own_media) out["pictures"] = comment.media.size();
  if (comment.reply && (!other || comment.reply != other->reply))
    out["reply_characters"] = characters(comment.reply->text, "\n\t").value_or(0);
  return out;
}

std::string client_of(const Writer& writer) {
  return writer.client.is_unspecified() ? "-" : writer.client.to_string();  // a command's
}

// The texts of an entry about this writer, now.
struct ByWriter {
  explicit ByWriter(const Writer& writer)
      : name(writer.audit_name()), client(client_of(writer)), request(writer.request) {}

  AuditEntry entry() const {
    return {.at_ms = system_ms(), .request_id = request, .token = name, .client = client};
  }

  std::string name, client, request;
};

}  // namespace

std::string audit_line(const AuditEntry& entry, const Comment* before, const Comment* after) {
  const auto& comment = before ? *before : *after;
  json::object line{{"at", time_text(entry.at_ms)},
                    {"request", entry.request_id},
                    {"token", entry.token},
                    {"client", entry.client},
                    {"action", entry.undoes ? "undo"
                               : !before    ? "post"
                               : after      ? "edit"
                                            : "remove"},
                    {"comment", comment.id.text()},
                    {"product", comment.product}};
  if (before) line["before"] = description(*before, after);
  if (after) line["after"] = description(*after, before);
  if (!entry.held_by.empty()) line["held_by"] = entry.held_by;
  if (!entry.decision.empty()) line["decision"] = entry.decision;
  return json::serialize(line) + "\n";
}

std::string erasure_line(const AuditEntry& entry, const CustomerHash& customer,
                         std::uint64_t comments) {
  json::object line{
      {"at", time_text(entry.at_ms)}, {"request", entry.request_id}, {"token", entry.token},
      {"client", entry.client},       {"action", "erase"},           {"customer", customer.text()},
      {"comments", comments}};
  return json::serialize(line) + "\n";
}

std::string facts_line(const AuditEntry& entry, std::string_view product,
                       const ProductFacts* facts) {
  json::object line{
      {"at", time_text(entry.at_ms)}, {"request", entry.request_id}, {"token", entry.token},
      {"client", entry.client},       {"action", "facts"},           {"product", product}};
  if (facts) line["after"] = json::parse(encode_facts(*facts));
  return json::serialize(line) + "\n";
}

std::string move_line(const AuditEntry& entry, std::string_view product, std::string_view to,
                      std::uint64_t comments) {
  json::object line{{"at", time_text(entry.at_ms)},
                    {"request", entry.request_id},
                    {"token", entry.token},
                    {"client", entry.client},
                    {"action", "move"},
                    {"product", product},
                    {"to", to},
                    {"comments", comments}};
  return json::serialize(line) + "\n";
}

std::string import_line(const AuditEntry& entry, const ImportCounts& counts) {
  json::object line{{"at", time_text(entry.at_ms)},
                    {"request", entry.request_id},
                    {"token", entry.token},
                    {"client", entry.client},
                    {"action", "import"}};
  for (const auto& [name, count] : counts.named()) line[name] = count;
  return json::serialize(line) + "\n";
}

Result<std::unique_ptr<AuditLog>> AuditLog::open(const std::string& file) {
  LogFile log_file{"the audit log", file, O_RDWR};
  TRY(auto out, open_log(log_file));
  auto log = std::unique_ptr<AuditLog>(new AuditLog(std::move(log_file), out));
  log->begin_line();
  return log;
}

Status AuditLog::reopen() {
  std::lock_guard lock(mutex_);
  flush();  // a line that the old file does not take goes to the new one
  auto opened = reopen_log(file_, out_);
  if (!opened) return opened;
  begin_line();
  return Done{};
}

// A full disk may have left half a line in the file.
void AuditLog::begin_line() {
  char last = '\n';
  auto size = lseek(out_, 0, SEEK_END);
  if (size > 0 && pread(out_, &last, 1, size - 1) == 1 && last != '\n') unwritten_.insert(0, "\n");
}

AuditLog::~AuditLog() {
  flush();
  close(out_);
}

Status AuditLog::ready() {
  std::lock_guard lock(mutex_);
  if (flush()) return Done{};
  return Error{ErrorCode::unavailable,
               "The audit log cannot be written, and without it nothing is changed. Tell the "
               "operator of this server."};
}

void AuditLog::add(std::string line) {
  std::lock_guard lock(mutex_);
  unwritten_ += line;
  if (flush()) return;
  spdlog::error(
      "cannot write the audit log {}: {}. No comment is changed until it can be written; the line "
      "is {}",
      file_.file, std::strerror(errno), line.substr(0, line.size() - 1));
}

bool AuditLog::flush() {
  while (!unwritten_.empty()) {
    auto written = write(out_, unwritten_.data(), unwritten_.size());
    if (written <= 0) return false;
    unwritten_.erase(0, static_cast<std::size_t>(written));
  }
  return true;
}

void Audit::change(const Writer& writer, const Ulid& id, std::string_view before,
                   std::string_view after, std::string_view decision) const {
  if (!log_) return;
  auto was = decode_document(before), is = decode_document(after);
  if (!was) was.emplace().id = id;
  ByWriter by(writer);
  auto entry = by.entry();
  entry.decision = decision;
  log_->add(audit_line(entry, &*was, is ? &*is : nullptr));
}

void Audit::undo(const Writer& writer, const Edited& undone) const {
  if (!log_) return;
  auto was = decode_document(undone.before).value(), is = decode_document(undone.after).value();
  ByWriter by(writer);
  auto entry = by.entry();
  entry.undoes = true;
  log_->add(audit_line(entry, &was, &is));
}

void Audit::post(const Writer& writer, const Comment& comment) const {
  if (!log_) return;
  ByWriter by(writer);
  auto entry = by.entry();
  entry.decision = status_name(comment.moderation.status);
  log_->add(audit_line(entry, nullptr, &comment));
}

void Audit::hold(const Writer& writer, const Edited& held) const {
  if (!log_) return;
  auto was = decode_document(held.before).value(), is = decode_document(held.after).value();
  AuditEntry entry{.at_ms = system_ms(),
                   .request_id = writer.request,
                   .token = "-",
                   .client = "-",
                   .held_by = held.moderation.held_by};
  log_->add(audit_line(entry, &was, &is));
}

void Audit::erasure(const Writer& writer, const CustomerHash& customer,
                    const Erased& erased) const {
  if (!log_) return;
  ByWriter by(writer);
  log_->add(erasure_line(by.entry(), customer, erased.comments + erased.emptied));
}

void Audit::facts(const Writer& writer, std::string_view product, const ProductFacts* facts) const {
  if (!log_) return;
  ByWriter by(writer);
  log_->add(facts_line(by.entry(), product, facts));
}

void Audit::move(const Writer& writer, std::string_view product, std::string_view to,
                 std::uint64_t comments) const {
  if (!log_) return;
  ByWriter by(writer);
  log_->add(move_line(by.entry(), product, to, comments));
}

void Audit::import(const Writer& writer, const ImportCounts& counts) const {
  if (!log_) return;
  ByWriter by(writer);
  log_->add(import_line(by.entry(), counts));
}

}  // namespace quire::desk
