// Runs the contract of page indexes on Redis. All tests share one server.
#include "page_index/index_contract.h"
#include "page_index/redis/raw_client.h"

namespace quire::redis {
namespace {

IndexBackend redis_backend() {
  return {"Redis", [](const std::string& directory) -> std::unique_ptr<PageIndex> {
            static RedisServer server;
            return std::make_unique<RedisIndex>(address_of(server), directory);
          }};
}

INSTANTIATE_TEST_SUITE_P(Redis, IndexContract, testing::Values(redis_backend()), name_of);

}  // namespace
}  // namespace quire::redis
