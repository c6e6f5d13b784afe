// Compares the index of words of a store with its comments.
#pragma once

#include <functional>
#include <string>

#include "lmdb/sealed.h"
#include "store/embedded/databases.h"

namespace quire::embedded {

// Calls `report` with a sentence for each of the first differences.
void verify_words(const Databases& databases, const lmdb::Transaction& txn,
                  const std::function<void(std::string)>& report);

}  // namespace quire::embedded
