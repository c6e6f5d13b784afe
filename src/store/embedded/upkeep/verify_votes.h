// Counts the votes of a store against the attributes of its comments.
#pragma once

#include <functional>
#include <string>

#include "store/embedded/databases.h"

namespace quire::embedded {

// Calls `report` with a sentence for each difference.
void verify_votes(const Databases& databases, const lmdb::Transaction& txn,
                  const std::function<void(std::string)>& report);

}  // namespace quire::embedded
