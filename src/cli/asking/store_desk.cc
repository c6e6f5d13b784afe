#include "cli/asking/store_desk.h"

#include <utility>
#include <variant>

#include "app/followed_table.h"

namespace quire::cli {

Result<std::unique_ptr<StoreDesk>> StoreDesk::open(const StoreDeskOptions& options) {
  auto there = options.makes_store ? Status(Done{}) : is_there(options.store);
  if (!there) return there.error();
  std::unique_ptr<desk::AuditLog> audit;
  if (!options.audit_log.empty()) {
    auto opened = desk::AuditLog::open(options.audit_log);
    if (!opened) return opened.error();
    audit = std::move(*opened);
  }
  // Without page numbers and cursors, which deeds do not need.
  auto app = App::open({.store = options.store,
                        .pages = is_adopted(options.store) ? options.pages : "none",
                        .access = options.access,
                        .cursors = false});
  if (!app) return app.error();
  std::optional<identity::CustomerKey> key;
  if (options.customers) {
    auto read = (*app)->customer_key(options.customer_key, Access::read);
    if (!read) return read.error();
    key = *read;
  }
  return std::unique_ptr<StoreDesk>(new StoreDesk(std::move(*app), std::move(audit), key));
}

StoreDesk::StoreDesk(std::unique_ptr<App> app, std::unique_ptr<desk::AuditLog> audit,
                     std::optional<identity::CustomerKey> key)
    : app_(std::move(app)),
      audit_(std::move(audit)),
      desk_(app_->comments(), {.customer_key = std::move(key), .audit = audit_.get()}) {}

desk::Permit StoreDesk::permit(desk::Deed deed, const std::string& product) {
  return std::get<desk::Permit>(desk_.admit(operator_, deed, product));
}

}  // namespace quire::cli
