#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

INSTANTIATE_TEST_SUITE_P(Sql, OnEach, testing::Values("sqlite", "mariadb", "postgresql"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace quire::sql
