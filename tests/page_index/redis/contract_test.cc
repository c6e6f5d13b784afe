// Runs the contract of page indexes on Redis: on one server, and on a cluster. All tests share
// these.
#include "page_index/index_contract.h"
#include "page_index/redis/redis_cluster.h"

namespace quire::redis {
namespace {

IndexBackend one_server() {
  return {"Redis", [](const std::string& directory) -> std::unique_ptr<PageIndex> {
            static RedisServer server;
            return std::make_unique<RedisIndex>(address_of(server), directory);
          }};
}

IndexBackend a_cluster() {
  return {"RedisCluster", [](const std::string& directory) -> std::unique_ptr<PageIndex> {
            static RedisCluster cluster;
            return std::make_unique<RedisIndex>(cluster.address(1), directory);
          }};
}

INSTANTIATE_TEST_SUITE_P(Redis, IndexContract, testing::Values(one_server(), a_cluster()), name_of);

}  // namespace
}  // namespace quire::redis
