// Reloads a server at SIGHUP: it opens its logs again, reads the shop file, and takes the limits
// from its options as they are now.
#pragma once

#include <optional>
#include <utility>

#include "base/log.h"
#include "cli/commands.h"
#include "desk/audit_log.h"
#include "desk/limits.h"
#include "http/server/server.h"
#include "shop/shop_file.h"

namespace quire::cli {

// An access log that is a file of its own.
struct OwnLog {
  LogFile file;
  int descriptor;
};

// The parts of a server that change while it serves. They must outlive the reload.
struct ServingParts {
  http::Server& server;
  desk::Limits& limits;
  desk::AuditLog* audit;  // null: there is none
  shop::ShopFile* shop;   // null: there is none
  std::optional<OwnLog> access_log;
};

// Says in the log what it does. Not thread-safe.
class Reload {
 public:
  Reload(Settings settings, ServingParts parts)
      : settings_(std::move(settings)), parts_(std::move(parts)) {}

  void run();

 private:
  void reopen_logs();
  Status take(const Settings& now);

  Settings settings_;  // of which the server has its present state
  ServingParts parts_;
};

}  // namespace quire::cli
