// The contract that every page index must keep. The test of a backend includes this header in one
// source, and says how to open an index:
//   INSTANTIATE_TEST_SUITE_P(Redis, IndexContract, testing::Values(redis_backend()), name_of);
#pragma once

#include "page_index/index_lists.h"
#include "page_index/index_marks.h"
#include "page_index/index_products.h"
