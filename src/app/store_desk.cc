#include "app/store_desk.h"

#include <utility>
#include <variant>

#include "base/try.h"

namespace quire {

Result<std::unique_ptr<StoreDesk>> StoreDesk::open(const StoreDeskOptions& options) {
  std::unique_ptr<desk::AuditLog> audit;
  if (!options.audit_log.empty()) {
    TRY(audit, desk::AuditLog::open(options.audit_log));
  }
  TRY(auto app, App::open(options.app));
  std::optional<identity::CustomerKey> key;
  if (options.customers) {
    TRY(key, app->customer_key(options.customer_key, Access::read));
  }
  return std::unique_ptr<StoreDesk>(
      new StoreDesk(std::move(app), std::move(audit), std::move(key), options.writer));
}

StoreDesk::StoreDesk(std::unique_ptr<App> app, std::unique_ptr<desk::AuditLog> audit,
                     std::optional<identity::CustomerKey> key, desk::Writer writer)
    : app_(std::move(app)),
      audit_(std::move(audit)),
      desk_(app_->comments(), {.customer_key = std::move(key), .audit = audit_.get()}),
      writer_(std::make_shared<const desk::Writer>(std::move(writer))) {}

desk::Permit StoreDesk::permit(desk::Deed deed, const std::string& product) {
  return std::get<desk::Permit>(desk_.admit(writer_, deed, product));
}

}  // namespace quire
