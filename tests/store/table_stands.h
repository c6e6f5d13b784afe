// The tables that every store's contract is run on.
#pragma once

#include "contract.h"
#include "table_backend.h"

namespace quire {

inline std::unique_ptr<Stand> open_local(const std::string& directory) {
  return std::make_unique<Stand>(
      open_table_for<LocalDynamo>(directory, dynamodb::StatisticsBy::write));
}
inline std::unique_ptr<Stand> open_dynalite(const std::string& directory) {
  return std::make_unique<Stand>(
      open_table_for<Dynalite>(directory, dynamodb::StatisticsBy::stream));
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
  return std::make_unique<Stand>(std::move(store));
}

inline const Backend on_local{"dynamodb_local", open_local};
inline const Backend on_parts{"dynamodb_in_parts", open_in_parts};
// It has no transactions, so writes cannot keep statistics, and no stream for others to.
inline const Backend on_dynalite{"dynalite", open_dynalite, /*counts=*/false};

}  // namespace quire
