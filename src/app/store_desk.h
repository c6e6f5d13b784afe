// A store with its desk, for the one writer of a program that opens it: the library's, or the
// operator at the command line.
#pragma once

#include <memory>
#include <string>

#include "app/app.h"
#include "desk/desk.h"
#include "quire/result.h"

namespace quire {

struct StoreDeskOptions {
  AppOptions app;
  desk::Writer writer;            // may do all that the desk is asked for
  std::string audit_log = {};     // of what is done; empty: it is not recorded
  bool customers = false;         // whether the key of customers is needed
  std::string customer_key = {};  // its file; empty: it is kept with the comments
};

class StoreDesk {
 public:
  // The errors of App::open() and App::customer_key(). unavailable: the audit log cannot be opened.
  static Result<std::unique_ptr<StoreDesk>> open(const StoreDeskOptions& options);

  desk::Desk& desk() { return desk_; }
  App& app() const { return *app_; }
  // The writer's permit for this deed. `product`: that the deed names. Throws
  // std::bad_variant_access where the writer may not do it.
  desk::Permit permit(desk::Deed deed, const std::string& product = {});

 private:
  StoreDesk(std::unique_ptr<App> app, std::unique_ptr<desk::AuditLog> audit,
            std::optional<identity::CustomerKey> key, desk::Writer writer);

  const std::unique_ptr<App> app_;
  const std::unique_ptr<desk::AuditLog> audit_;  // null: nothing is recorded
  desk::Desk desk_;
  const std::shared_ptr<const desk::Writer> writer_;
};

}  // namespace quire
