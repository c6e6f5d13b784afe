#include "http/api/recorded.h"

#include "base/clock.h"
#include "http/access/customers.h"
#include "http/access/tokens.h"
#include "model/document.h"

namespace quire::http {
namespace {

std::string client_of(const Request& request) {
  return request.client.is_unspecified() ? "-" : request.client.to_string();  // a command's
}

// Adds a line about what the request's sender did.
void add(AuditLog& audit, const Request& request, const Comment* before, const Comment* after,
         std::string_view decision) {
  auto client = client_of(request);
  auto writer = request.customer ? "customer:" + request.customer->hash.text()
                                 : std::string(request.token_label);
  AuditEntry entry{system_ms(), request.id, writer, client, decision};
  audit.add(audit_line(entry, before, after));
}

}  // namespace

void record(AuditLog* audit, const Request& request, const Ulid& id, std::string_view before,
            std::string_view after, std::string_view decision) {
  if (!audit) return;
  auto was = decode_document(before), is = decode_document(after);
  if (!was) was.emplace().id = id;
  add(*audit, request, &*was, is ? &*is : nullptr, decision);
}

void record_post(AuditLog* audit, Metrics& metrics, const Request& request, const Posted& posted) {
  if (posted.repeated) return;
  auto status = posted.comment.moderation.status;
  metrics.decided(status);
  if (audit) add(*audit, request, nullptr, &posted.comment, status_name(status));
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

void record(AuditLog* audit, const Request& request, const CustomerHash& customer,
            const Erased& erased) {
  if (!audit) return;
  auto client = client_of(request);
  AuditEntry entry{system_ms(), request.id, request.token_label, client};
  audit->add(erasure_line(entry, customer, erased.comments + erased.emptied));
}

void record(AuditLog* audit, const Request& request, const std::string& product,
            const ProductFacts* facts) {
  if (!audit) return;
  auto client = client_of(request);
  AuditEntry entry{system_ms(), request.id, request.token_label, client};
  audit->add(facts_line(entry, product, facts));
}

void record(AuditLog* audit, Metrics& metrics, const Request& request, const Ulid& id,
            const Patch& patch, const Edited& edited) {
  if (patch.status) metrics.decided(edited.moderation.status);
  if (edited.before != edited.after || patch.decides())
    record(audit, request, id, edited.before, edited.after,
           patch.status ? status_name(*patch.status) : "");
}

}  // namespace quire::http
