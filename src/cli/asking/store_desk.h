// The desk of commands that work on a store, and ask no server.
#pragma once

#include <memory>
#include <string>

#include "app/app.h"
#include "base/backend.h"
#include "desk/desk.h"
#include "quire/result.h"

namespace quire::cli {

struct StoreDeskOptions {
  std::string store;
  std::string pages = {};  // of a table that others made, whose page index knows where a comment is
  Access access = Access::write;
  std::string audit_log = {};     // of what is done; empty: it is not recorded
  bool customers = false;         // whether the key of customers is needed
  std::string customer_key = {};  // its file; empty: it is kept with the comments
  bool makes_store = false;       // where there is none yet
};

class StoreDesk {
 public:
  // unavailable: there is no store, another process writes there, or the audit log cannot be
  // opened.
  static Result<std::unique_ptr<StoreDesk>> open(const StoreDeskOptions& options);

  desk::Desk& desk() { return desk_; }
  App& app() { return *app_; }
  // Whoever may open the store may do all that needs no customer. `product`: that the deed names.
  desk::Permit permit(desk::Deed deed, const std::string& product = {});

 private:
  StoreDesk(std::unique_ptr<App> app, std::unique_ptr<desk::AuditLog> audit,
            std::optional<identity::CustomerKey> key);

  const std::unique_ptr<App> app_;
  const std::unique_ptr<desk::AuditLog> audit_;  // null: nothing is recorded
  desk::Desk desk_;
  const std::shared_ptr<const desk::Writer> operator_ =
      std::make_shared<const desk::Writer>(desk::Writer::operator_here());
};

}  // namespace quire::cli
