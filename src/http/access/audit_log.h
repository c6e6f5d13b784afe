// The record of who changed or removed which comments, as JSON Lines. It has the lengths of texts
// rather than the texts, because an erased text must not live on in a log.
// Format: docs/formats/audit.md
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/log.h"
#include "http/access/import_counts.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "product/facts.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire::http {

struct AuditEntry {
  std::uint64_t at_ms;
  std::string_view request_id;
  std::string_view token;  // its label
  std::string_view client;
  std::string_view decision = {};  // the status that a moderator gave; empty: it is no decision
  std::string_view held_by = {};   // the rule that held the comment; empty: none did
};

// A line, with its line feed. `before` is null if the comment was posted, `after` if it was
// removed.
std::string audit_line(const AuditEntry& entry, const Comment* before, const Comment* after);

// A line of an erasure: how many comments of the customer were removed or emptied.
std::string erasure_line(const AuditEntry& entry, const CustomerHash& customer,
                         std::uint64_t comments);

// A line of what the shop tells of a product; null: nothing any more.
std::string facts_line(const AuditEntry& entry, std::string_view product,
                       const ProductFacts* facts);

// A line of an import: what became of its rows.
std::string import_line(const AuditEntry& entry, const ImportCounts& counts);

// Thread-safe. Keeps a line that cannot be written, and writes it before the next change is made.
class AuditLog {
 public:
  // Opens the file to append. A new file is readable by its owner and group.
  static Result<std::unique_ptr<AuditLog>> open(const std::string& file);
  // Opens the file again, because it was renamed or removed. After an error lines go to the old
  // one.
  Status reopen();
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  // Must be called before each change. Writes the lines that are kept. unavailable: they still
  // cannot be written, and the change must not be made.
  Status ready();
  // Must be called after the change. Logs an error if the line has to be kept.
  void add(std::string line);

 private:
  AuditLog(LogFile file, int out) : file_(std::move(file)), out_(out) {}

  void begin_line();
  bool flush();

  const LogFile file_;
  const int out_;
  std::mutex mutex_;
  std::string unwritten_;  // guarded by mutex_; at most the lines of changes that ran at once
};

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
// A function that records the import of this request, when the request may be gone.
std::function<void(const ImportCounts&)> recorder_of(AuditLog* audit, const Request& request);
// Records an edit or a decision, if it changed anything.
void record(AuditLog* audit, Metrics& metrics, const Request& request, const Ulid& id,
            const Patch& patch, const Edited& edited);

}  // namespace quire::http
