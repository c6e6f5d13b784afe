// The stores that the contracts are run on.
#pragma once

#include "contract.h"
#include "store/embedded/store.h"
#include "table_backend.h"

namespace quire {

inline std::unique_ptr<Stand> open_embedded(const std::string& directory) {
  return std::make_unique<Stand>(embedded::LmdbStore::open(directory, Access::write).value());
}

class TableStand final : public Stand {
 public:
  using Stand::Stand;
  std::uint64_t retries() const override {
    return static_cast<dynamodb::TableStore&>(*store_).access().client.metrics().retries;
  }
};

template <class Server, dynamodb::StatisticsBy by>
std::unique_ptr<Stand> open_on(const std::string& directory) {
  return std::make_unique<TableStand>(open_table_for<Server>(directory, by));
}

// Each index in another number of parts. What writes is asked on these alone: a table whose indexes
// have one part is the same with fewer.
inline std::unique_ptr<Stand> open_in_parts(const std::string& directory) {
  auto store = open_table_for<LocalDynamo>(directory, dynamodb::StatisticsBy::write);
  auto& access = static_cast<dynamodb::TableStore&>(*store).access();
  for (std::size_t index = 0; index < indexes.size(); ++index) {
    auto parts = static_cast<std::uint8_t>(2 + index);
    (void)wait(access.loop.run(access.parts.begin({"", index}, parts))).value();
  }
  return std::make_unique<TableStand>(std::move(store));
}

inline const Backend on_embedded{"embedded", open_embedded};
inline const Backend on_local{"dynamodb_local",
                              open_on<LocalDynamo, dynamodb::StatisticsBy::write>};
// A stream keeps its statistics, so a write is a transaction for its customer's sake alone.
inline const Backend on_stream{"dynamodb_by_stream",
                               open_on<LocalDynamo, dynamodb::StatisticsBy::stream>};
inline const Backend on_parts{"dynamodb_in_parts", open_in_parts};
// It has no transactions, so writes cannot keep statistics, and no stream for others to.
inline const Backend on_dynalite{"dynalite", open_on<Dynalite, dynamodb::StatisticsBy::stream>,
                                 /*counts=*/false};

}  // namespace quire
