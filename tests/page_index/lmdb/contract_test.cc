#include "page_index/index_contract.h"
#include "page_index/lmdb/index.h"

namespace quire {
namespace {

std::unique_ptr<PageIndex> open_file(const std::string& directory) {
  return page_index::LmdbIndex::open(directory + "/pages", Access::write).value();
}

INSTANTIATE_TEST_SUITE_P(Lmdb, IndexContract,
                         testing::Values(IndexBackend{"lmdb", open_file, /*twice=*/false}),
                         name_of);

}  // namespace
}  // namespace quire
