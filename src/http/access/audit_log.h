// Who changed and removed which comments, as JSON Lines. Texts are not in it, only how long they
// were: what was erased must not live on in a log.
// Format: docs/formats/audit.md
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "quire/comment.h"
#include "quire/result.h"

namespace quire::http {

struct AuditEntry {
  std::uint64_t at_ms;
  std::string_view request_id;
  std::string_view token;  // its label
  std::string_view client;
};

// One line, with its end. `after`: null where the comment was removed.
std::string audit_line(const AuditEntry& entry, const Comment& before, const Comment* after);

// Thread-safe. A line that cannot be written is kept, and written before anything else is changed.
class AuditLog {
 public:
  // Opens the file to append, readable by its owner and group; makes it if need be.
  static Result<std::unique_ptr<AuditLog>> open(const std::string& file);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  // To be asked before each change. Writes what is kept; unavailable, if it still cannot be
  // written: then nothing is to be changed.
  Status ready();
  // After the change. Logs an error if the line has to be kept.
  void add(std::string line);

 private:
  AuditLog(std::string file, int out) : file_(std::move(file)), out_(out) {}

  bool flush();

  const std::string file_;
  const int out_;
  std::mutex mutex_;
  std::string unwritten_;  // guarded by mutex_; of the changes that were under way at a time
};

}  // namespace quire::http
