#include "page_index/index_contract.h"
#include "page_index/sql/backends.h"

namespace quire {
namespace {

std::unique_ptr<PageIndex> open_sqlite(const std::string& directory) {
  sql::SqliteFile file{directory + "/pages.db"};
  return std::make_unique<sql::SqlIndex>(file, "table", Access::write);
}

// The name of the directory is the name of the index.
std::unique_ptr<PageIndex> open_mariadb(const std::string& directory) {
  auto name = std::filesystem::path(directory).filename().string();
  return std::make_unique<sql::SqlIndex>(sql::address_of(sql::mariadb()), name, Access::write);
}

std::unique_ptr<PageIndex> open_postgresql(const std::string& directory) {
  auto name = std::filesystem::path(directory).filename().string();
  return std::make_unique<sql::SqlIndex>(sql::address_of(sql::postgresql_server()), name,
                                         Access::write);
}

// Blocks of a few comments make trees of many levels.
std::unique_ptr<PageIndex> open_with_small_blocks(const std::string& directory) {
  sql::SqliteFile file{directory + "/pages.db"};
  sql::SqlOptions options;
  options.block_sizes = {.max_comments = 8, .max_blocks = 4};
  return std::make_unique<sql::SqlIndex>(file, "table", Access::write, options);
}

INSTANTIATE_TEST_SUITE_P(Sql, IndexContract,
                         testing::Values(IndexBackend{"sqlite", open_sqlite},
                                         IndexBackend{"small_blocks", open_with_small_blocks},
                                         IndexBackend{"mariadb", open_mariadb},
                                         IndexBackend{"postgresql", open_postgresql}),
                         name_of);

}  // namespace
}  // namespace quire
