#include "store/embedded/upkeep/verify_meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "lmdb/cursor.h"
#include "store/embedded/event_log.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

namespace {

// The rows that are checked with what they are about.
bool is_checked_elsewhere(std::string_view key) {
  constexpr std::array<std::string_view, 6> others = {"format", "hash_key",  "next_product",
                                                      "schema", "last_mark", followed_row};
  return std::find(others.begin(), others.end(), key) != others.end();
}

}  // namespace

void verify_meta(const Databases& databases, const lmdb::Transaction& txn,
                 const std::function<void(std::string)>& report) {
  const auto& meta = databases.meta;
  for (const auto& entry : lmdb::Entries(txn, meta.dbi)) {
    auto key = entry.key();
    if (is_checked_elsewhere(key)) continue;
    auto row = lmdb::unsealed(meta.seed, key, entry.value());
    bool moved = key.starts_with(successor_prefix);
    auto name = moved ? key.substr(successor_prefix.size()) : key;
    if (!row && moved)
      report(fmt::format("the successor of product {} is damaged", name));
    else if (!row)
      report(fmt::format("the row {} of meta is damaged", percent_encode(key)));
    else if (moved && txn.find(meta.dbi, successor_key(*row)))
      report(fmt::format("the successor of product {} has moved itself", name));
  }
}

}  // namespace quire::embedded
