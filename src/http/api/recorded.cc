#include "http/api/recorded.h"

#include "base/clock.h"
#include "http/access/tokens.h"
#include "model/document.h"

namespace quire::http {
namespace {

AuditEntry entry_of(const Request& request, const std::string& client,
                    std::string_view decision = {}) {
  return {system_ms(), request.id, request.token_label, client, decision};
}

std::string client_of(const Request& request) {
  return request.client.is_unspecified() ? "-" : request.client.to_string();  // a command's
}

}  // namespace

void record(AuditLog* audit, const Request& request, const Ulid& id, std::string_view before,
            std::string_view after, std::string_view decision) {
  if (!audit) return;
  auto was = decode_document(before), is = decode_document(after);
  if (!was) was.emplace().id = id;
  auto client = client_of(request);
  audit->add(audit_line(entry_of(request, client, decision), &*was, is ? &*is : nullptr));
}

void record_post(AuditLog* audit, Metrics& metrics, const Request& request, const Posted& posted) {
  if (posted.repeated) return;
  auto status = posted.comment.moderation.status;
  metrics.decided(status);
  if (!audit) return;
  auto client = client_of(request);
  audit->add(audit_line(entry_of(request, client, status_name(status)), nullptr, &posted.comment));
}

void record_hold(AuditLog* audit, const Request& request, const Edited& held) {
  if (!audit) return;
  auto was = decode_document(held.before).value(), is = decode_document(held.after).value();
  AuditEntry entry{.at_ms = system_ms(),
                   .request_id = request.id,
                   .token = "-",
                   .client = "-",
                   .held_by = held.moderation.held_by};
  audit->add(audit_line(entry, &was, &is));
}

void record(AuditLog* audit, Metrics& metrics, const Request& request, const Ulid& id,
            const Patch& patch, const Edited& edited) {
  if (patch.status) metrics.decided(edited.moderation.status);
  if (edited.before != edited.after || patch.decides())
    record(audit, request, id, edited.before, edited.after,
           patch.status ? status_name(*patch.status) : "");
}

}  // namespace quire::http
