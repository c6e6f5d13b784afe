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
#include "desk/import_counts.h"
#include "desk/writer.h"
#include "product/facts.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire::desk {

struct AuditEntry {
  std::uint64_t at_ms;
  std::string_view request_id;
  std::string_view token;  // its label
  std::string_view client;
  std::string_view decision = {};  // the status that a moderator gave; empty: it is no decision
  std::string_view held_by = {};   // the rule that held the comment; empty: none did
  bool undoes = false;             // a decision is taken back
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

// A line of a move: how many comments it made another product's.
std::string move_line(const AuditEntry& entry, std::string_view product, std::string_view to,
                      std::uint64_t comments);

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

// The records of one desk. Each function but ready() is called after the change. Thread-safe.
class Audit {
 public:
  // `log` may be null: then nothing is recorded.
  explicit Audit(AuditLog* log) : log_(log) {}

  // An error if a change could not be recorded; then nothing may be changed.
  Status ready() const { return log_ ? log_->ready() : Status(Done{}); }
  // A change. `before` and `after` are documents: `before` is empty if the comment was damaged,
  // `after` if it was removed. `decision`: the status that a moderator gave.
  void change(const Writer& writer, const Ulid& id, std::string_view before, std::string_view after,
              std::string_view decision = {}) const;
  // A decision that is taken back.
  void undo(const Writer& writer, const Edited& undone) const;
  // A moderator's decision on a comment that is posted.
  void post(const Writer& writer, const Comment& comment) const;
  // That reports held a comment. Nobody learns there who reported it.
  void hold(const Writer& writer, const Edited& held) const;
  // An erasure of what is kept of a customer.
  void erasure(const Writer& writer, const CustomerHash& customer, const Erased& erased) const;
  // What the shop tells of a product; null: nothing any more.
  void facts(const Writer& writer, std::string_view product, const ProductFacts* facts) const;
  void move(const Writer& writer, std::string_view product, std::string_view to,
            std::uint64_t comments) const;
  void import(const Writer& writer, const ImportCounts& counts) const;

 private:
  AuditLog* const log_;
};

}  // namespace quire::desk
