// Checks the rows of `meta` that no other check looks at, such as those of products that have
// moved.
#pragma once

#include <functional>
#include <string>

#include "store/embedded/databases.h"

namespace quire::embedded {

// Calls `report` for each difference.
void verify_meta(const Databases& databases, const lmdb::Transaction& txn,
                 const std::function<void(std::string)>& report);

}  // namespace quire::embedded
