#include "wiring/pages.h"

#include <string_view>

#include "dynamodb/address.h"
#include "rank/lmdb/index.h"
#include "wiring/region.h"

namespace quire {
namespace {

Error wrong(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "pages"};
}

bool embedded(const std::string& store) {
  return !store.starts_with("dynamodb:");
}

// What an index that serves several tables keeps this one's lists under.
Result<std::string> name_of(const std::string& store) {
  auto address = dynamodb::parse_address(store, environment_region());
  if (!address) return address.error();
  return address->table;
}

}  // namespace

Result<std::unique_ptr<PageIndex>> open_pages(const std::string& pages, const std::string& store,
                                              Access access) {
  using Opened = std::unique_ptr<PageIndex>;
  if (pages.empty() || pages == "none" || (pages == "store" && embedded(store))) return Opened();
  if (pages == "store")
    return wrong("A table keeps no page index: name one, such as --pages redis://HOST, or none.");
  constexpr std::string_view lmdb = "lmdb:";
  bool file = pages.starts_with(lmdb) && pages.size() > lmdb.size();
  if (!file)
    return wrong(
        "--pages names no page index: use lmdb:DIR, redis://HOST:PORT/DB, rediss://…, "
        "sqlite:FILE, mysql://USER@HOST:PORT/DB, store or none.");
  if (embedded(store))
    return wrong(
        "An embedded store numbers its pages itself, and nothing follows it: use --pages "
        "store or none.");
  auto name = name_of(store);
  if (!name) return name.error();
  auto index = pages::LmdbIndex::open(pages.substr(lmdb.size()), access);
  if (!index) return index.error();
  return Opened(std::move(*index));
}

NumbersFrom numbers_from(const std::string& pages, PageIndex* index) {
  return {.store = pages != "none", .index = index};
}

}  // namespace quire
