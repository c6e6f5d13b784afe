// Tables on DynamoDB servers for tests. The first test that needs a server starts it; all tests
// share it.
#pragma once

#include <cstdlib>
#include <filesystem>

#include "loop/loop.h"
#include "servers.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/provision/provision.h"
#include "store/dynamodb/store.h"

namespace quire {

template <class Server>
std::string endpoint_of() {
  static Server server;
  return server.endpoint();
}

inline dynamodb::Address table_address(const std::string& endpoint, const std::string& table,
                                       dynamodb::StatisticsBy by) {
  setenv("AWS_ACCESS_KEY_ID", "test", 1);
  setenv("AWS_SECRET_ACCESS_KEY", "test", 1);
  auto address =
      dynamodb::parse_address("dynamodb:" + table + "?endpoint=" + endpoint, "eu-west-1");
  address->statistics = by;
  return std::move(*address);
}

// Makes a missing table.
inline std::unique_ptr<dynamodb::TableStore> open_table(const dynamodb::Address& address) {
  auto store = std::make_unique<dynamodb::TableStore>(address);
  auto& access = store->access();
  dynamodb::Service service{
      [&](dynamodb::Call call) { return access.client.send(std::move(call)); }, pause};
  if (!wait(store->ready()))
    (void)wait(access.loop.run(make_table(service, address.table, {}))).value();
  return store;
}

// The directory names the table, so that a reopened store finds it again.
template <class Server>
std::unique_ptr<Store> open_table_for(const std::string& directory, dynamodb::StatisticsBy by) {
  std::string table = "t" + std::filesystem::path(directory).filename().string();
  auto address = table_address(endpoint_of<Server>(), table, by);
  address.skip_empty = std::chrono::seconds(60);  // the contract holds with it, too
  return open_table(address);
}

}  // namespace quire
