// The desk of commands that work on a store, and ask no server.
#pragma once

#include <memory>
#include <string>

#include "app/store_desk.h"
#include "base/backend.h"
#include "quire/result.h"

namespace quire::cli {

struct OperatorsDesk {
  std::string store;
  std::string pages = {};  // of a table that others made, whose page index knows where a comment is
  Access access = Access::write;
  std::string audit_log = {};     // of what is done; empty: it is not recorded
  bool customers = false;         // whether the key of customers is needed
  std::string customer_key = {};  // its file; empty: it is kept with the comments
  bool makes_store = false;       // where there is none yet
};

// Whoever may open the store may do all that needs no customer. unavailable: there is no store,
// another process writes there, or the audit log cannot be opened.
Result<std::unique_ptr<StoreDesk>> open_desk(const OperatorsDesk& options);

}  // namespace quire::cli
