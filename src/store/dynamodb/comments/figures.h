// The counters of a table's client.
#pragma once

#include <vector>

#include "store/dynamodb/access/access.h"
#include "store/store.h"

namespace quire::dynamodb {

// Any thread may call it.
std::vector<Figure> figures_of(TableAccess& access);

}  // namespace quire::dynamodb
