#include "cli/asking/operators_desk.h"

#include "app/followed_table.h"
#include "base/try.h"

namespace quire::cli {

Result<std::unique_ptr<StoreDesk>> open_desk(const OperatorsDesk& options) {
  if (!options.makes_store) TRY_DONE(is_there(options.store));
  // Without page numbers and cursors, which deeds do not need.
  AppOptions app{.store = options.store,
                 .pages = is_adopted(options.store) ? options.pages : "none",
                 .access = options.access,
                 .cursors = false};
  return StoreDesk::open({.app = std::move(app),
                          .writer = desk::Writer::operator_here(),
                          .audit_log = options.audit_log,
                          .customers = options.customers,
                          .customer_key = options.customer_key});
}

}  // namespace quire::cli
