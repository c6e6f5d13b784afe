// What every page index must do, whatever keeps the lists. A backend's test includes this in one of
// its sources, and gives a way to open one:
//   INSTANTIATE_TEST_SUITE_P(Redis, IndexContract, testing::Values(redis_backend()), name_of);
#pragma once

#include "page_index/index_lists.h"
#include "page_index/index_marks.h"
#include "page_index/index_products.h"
