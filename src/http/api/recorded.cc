#include "http/api/recorded.h"

#include "base/clock.h"
#include "http/access/tokens.h"
#include "model/document.h"

namespace quire::http {

void record(AuditLog* audit, const Request& request, const Ulid& id, std::string_view before,
            std::string_view after, std::string_view decision) {
  if (!audit) return;
  auto was = decode_document(before), is = decode_document(after);
  if (!was) was.emplace().id = id;
  auto client = request.client.is_unspecified() ? "-" : request.client.to_string();  // a command's
  AuditEntry entry{system_ms(), request.id, request.token_label, client, decision};
  audit->add(audit_line(entry, *was, is ? &*is : nullptr));
}

void record(AuditLog* audit, Metrics& metrics, const Request& request, const Ulid& id,
            const Patch& patch, const Edited& edited) {
  if (patch.status) metrics.decided(edited.moderation.status);
  if (edited.before != edited.after || patch.decides())
    record(audit, request, id, edited.before, edited.after,
           patch.status ? status_name(*patch.status) : "");
}

}  // namespace quire::http
