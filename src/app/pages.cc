#include "app/pages.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "dynamodb/address.h"
#include "listing/bitmap/indexed.h"
#include "listing/bitmap/maker.h"
#include "listing/lists/maker.h"
#include "page_index/lmdb/index.h"
#include "page_index/redis/index.h"
#include "page_index/sql/index.h"

namespace quire {
namespace {

using Opened = Result<std::unique_ptr<PageIndex>>;

Error wrong_pages(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "pages"};
}

// The password for an address without one. It need not be on a command line so.
std::string environment_password() {
  const char* value = std::getenv("QUIRE_PAGES_PASSWORD");
  return value ? value : "";
}

// `name`: the table's. One server or database may keep the indexes of several tables.
Opened open_lmdb(const std::string& pages, const std::string&, Access access) {
  auto directory = pages.substr(pages.find(':') + 1);
  if (directory.empty()) return wrong_pages("--pages lmdb:DIR names a directory.");
  auto index = page_index::LmdbIndex::open(directory, access);
  if (!index) return index.error();
  return std::unique_ptr<PageIndex>(std::move(*index));
}

Opened open_redis(const std::string& pages, const std::string& name, Access) {
  auto address = redis::parse_redis_address(pages, environment_password());
  if (!address) return address.error();
  return std::unique_ptr<PageIndex>(std::make_unique<redis::RedisIndex>(std::move(*address), name));
}

Opened open_sql(const std::string& pages, const std::string& name, Access access) {
  auto address = sql::parse_sql_address(pages, environment_password());
  if (!address) return address.error();
  return std::unique_ptr<PageIndex>(
      std::make_unique<sql::SqlIndex>(std::move(*address), name, access));
}

struct Kind {
  std::string_view scheme;
  Opened (*open)(const std::string& pages, const std::string& name, Access access);
};
constexpr Kind kinds[] = {{"lmdb:", open_lmdb},  {"redis:", open_redis}, {"rediss:", open_redis},
                          {"sqlite:", open_sql}, {"mysql:", open_sql},   {"postgresql:", open_sql}};

}  // namespace

Result<std::unique_ptr<PageIndex>> open_pages(const std::string& pages, const std::string& store,
                                              Access access) {
  bool table = store.starts_with("dynamodb:");
  if (pages.empty() || pages == "none" || (pages == "store" && !table))
    return std::unique_ptr<PageIndex>();
  if (pages == "store")
    return wrong_pages(
        "A table keeps no page index. Name one beside it, such as --pages redis://HOST, or none.");
  for (const auto& kind : kinds) {
    if (!pages.starts_with(kind.scheme)) continue;
    if (!table)
      return wrong_pages(
          "An embedded store numbers its pages itself, and has no stream that a page index could "
          "follow: --pages store or none.");
    auto address = dynamodb::parse_address(store, dynamodb::system_configuration());
    if (!address) return address.error();
    if (!address->map.empty() && kind.open != open_lmdb)
      return wrong_pages(
          "A table that others made needs a page index that keeps its keys: --pages lmdb:DIR.");
    return kind.open(pages, address->table, access);
  }
  // The address may hold a password.
  return wrong_pages(
      "--pages names no page index. Use store, lmdb:DIR, redis://HOST:PORT/DB, rediss://HOST:PORT/"
      "DB, sqlite:FILE, mysql://USER@HOST:PORT/DB, postgresql://USER@HOST:PORT/DB or none.");
}

std::unique_ptr<ListingMaker> make_listings(OpenStore& open, const std::string& pages,
                                            PageIndex* index, std::chrono::seconds max_behind) {
  Store& store = *open.store;
  if (!store.view()->lists() && !index) return bitmap::listings(pages != "none");
  auto lists = lists::listings_of(
      store, {.index = index, .max_behind = max_behind, .refuses = open.refuses});
  if (!index || !index->holds_facets()) return lists;
  return bitmap::listings_with(std::move(lists), *index, store);
}

Result<std::unique_ptr<PageIndex>> open_temporary_index() {
  std::error_code failed;
  auto parent = std::filesystem::temp_directory_path(failed);
  std::string directory = (parent / "quire-recount-XXXXXX").string();
  if (failed || !mkdtemp(directory.data())) {
    return Error{ErrorCode::unavailable, "Cannot make a directory under " + parent.string() + ": " +
                                             std::strerror(errno) + ". Set TMPDIR."};
  }
  auto index = page_index::LmdbIndex::open(directory, Access::write);
  // Its files live as long as they are open.
  std::filesystem::remove_all(directory, failed);
  if (!index) return index.error();
  return std::unique_ptr<PageIndex>(std::move(*index));
}

}  // namespace quire
