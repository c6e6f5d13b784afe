#include "store/embedded/upkeep/verify_successors.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "lmdb/cursor.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

void verify_successors(const Databases& databases, const lmdb::Transaction& txn,
                       const std::function<void(std::string)>& report) {
  const auto& meta = databases.meta;
  for (const auto& key : lmdb::keys_under(txn, meta, successor_prefix)) {
    auto name = key.substr(successor_prefix.size());
    auto bytes = txn.find(meta.dbi, key);
    auto to = bytes ? lmdb::unsealed(meta.seed, key, *bytes) : std::nullopt;
    if (!to)
      report(fmt::format("the successor of product {} is damaged", name));
    else if (txn.find(meta.dbi, successor_key(*to)))
      report(fmt::format("the successor of product {} has moved itself", name));
  }
}

}  // namespace quire::embedded
