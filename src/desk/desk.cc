#include "desk/desk.h"

namespace quire::desk {

Desk::Desk(Comments& comments, DeskOptions options)
    : comments_(comments),
      options_(std::move(options)),
      customers_(options_.shop, options_.customer_key),
      audit_(options_.audit),
      person_key_(comments.derived_key("reports")),
      limits_(options_.rates) {}

}  // namespace quire::desk
