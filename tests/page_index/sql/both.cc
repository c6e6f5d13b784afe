#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

INSTANTIATE_TEST_SUITE_P(Sql, OnBoth, testing::Values("sqlite", "mariadb"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace quire::sql
