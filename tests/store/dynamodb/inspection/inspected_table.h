// A table on DynamoDB Local whose items are inspected.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/dynamodb/inspection/inspection.h"
#include "store/support.h"
#include "store/table_backend.h"

namespace quire::dynamodb {

class InspectionTest : public testing::Test {
 protected:
  void send(Call call) {
    EXPECT_FALSE(wait(access_.loop.run(access_.client.send(std::move(call)))).failure);
  }
  void put(const Item& item) { send(put_item(access_.client.table(), item, {}, Repeat::safe)); }
  void put_and_look(const std::vector<Item>& items) {
    for (const auto& item : items) {
      put(item);
      inspection_.look(item);
    }
  }
  std::optional<Item> get(const Item& item) {
    return wait(access_.loop.run(access_.client.get(key_in(item)))).value().item;
  }
  std::vector<std::string> look_again() { return wait(inspection_.look_again()).value(); }

  static std::string name() {
    static int made = 0;
    return "inspection" + std::to_string(++made);
  }
  std::unique_ptr<TableStore> store_ =
      open_table(table_address(endpoint_of<LocalDynamo>(), name(), StatisticsBy::stream));
  TableAccess& access_ = store_->access();
  ItemInspection inspection_{access_};
};

}  // namespace quire::dynamodb
