// Changes of comments, recorded in the audit log and in the metrics.
#pragma once

#include "http/access/audit_log.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "service/comments.h"

namespace quire::http {

// An error if a change could not be recorded; then nothing may be changed. `audit` may be null.
inline Status ready_to_record(AuditLog* audit) {
  if (audit) return audit->ready();
  return Done{};
}
// Records a change. `before` and `after` are documents: `before` is empty if the comment was
// damaged, `after` if it was removed. `decision`: the status that a moderator gave.
void record(AuditLog* audit, const Request& request, const Ulid& id, std::string_view before,
            std::string_view after, std::string_view decision = {});
// Records a moderator's decision on a comment that is posted.
void record_post(AuditLog* audit, Metrics& metrics, const Request& request, const Posted& posted);
// Records that reports held a comment. Nobody learns there who reported it.
void record_hold(AuditLog* audit, const Request& request, const Edited& held);
// Records an erasure of what is kept of a customer.
void record(AuditLog* audit, const Request& request, const CustomerHash& customer,
            const Erased& erased);
// Records what the shop tells of a product; null: nothing any more.
void record(AuditLog* audit, const Request& request, const std::string& product,
            const ProductFacts* facts);
// Records an edit or a decision, if it changed anything.
void record(AuditLog* audit, Metrics& metrics, const Request& request, const Ulid& id,
            const Patch& patch, const Edited& edited);

}  // namespace quire::http
