// Verifies the log of events, and which comments were changed last.
#pragma once

#include <functional>
#include <string>

#include "store/embedded/format/tables.h"

namespace quire::embedded {

// Tells each difference as one sentence.
void verify_events(const Tables& tables, const lmdb::Transaction& txn,
                   const std::function<void(std::string)>& report);

}  // namespace quire::embedded
