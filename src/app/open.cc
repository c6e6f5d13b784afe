#include "app/open.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "app/followed_table.h"
#include "base/try.h"
#include "dynamodb/address.h"
#include "listing/bitmap/indexed.h"
#include "listing/lists/maker.h"
#include "loop/loop.h"
#include "page_index/lmdb/index.h"
#include "page_index/redis/index.h"
#include "page_index/sql/index.h"
#include "store/dynamodb/adopted/store.h"
#include "store/dynamodb/store.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/backup.h"
#include "store/embedded/upkeep/verify.h"

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
  TRY(auto index, page_index::LmdbIndex::open(directory, access));
  return std::unique_ptr<PageIndex>(std::move(index));
}

Opened open_redis(const std::string& pages, const std::string& name, Access) {
  TRY(auto address, redis::parse_redis_address(pages, environment_password()));
  return std::unique_ptr<PageIndex>(std::make_unique<redis::RedisIndex>(std::move(address), name));
}

Opened open_sql(const std::string& pages, const std::string& name, Access access) {
  TRY(auto address, sql::parse_sql_address(pages, environment_password()));
  return std::unique_ptr<PageIndex>(
      std::make_unique<sql::SqlIndex>(std::move(address), name, access));
}

struct PageIndexScheme {
  std::string_view scheme;
  Opened (*open)(const std::string& pages, const std::string& name, Access access);
};
constexpr PageIndexScheme schemes[] = {{"lmdb:", open_lmdb},    {"redis:", open_redis},
                                       {"rediss:", open_redis}, {"sqlite:", open_sql},
                                       {"mysql:", open_sql},    {"postgresql:", open_sql}};

constexpr std::string_view lmdb = "lmdb:";
constexpr std::string_view dynamodb_scheme = "dynamodb:";

Error wrong(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "store"};
}

Error only_embedded(std::string_view what) {
  return wrong(std::string(what) + " is for an embedded store: --store lmdb:DIR.");
}

Result<std::string> directory_of(const std::string& address) {
  if (address.starts_with(lmdb) && address.size() > lmdb.size()) return address.substr(lmdb.size());
  return wrong("\"" + address +
               "\" names no store. Use lmdb:DIR, for instance lmdb:./quire-data, or "
               "dynamodb:TABLE?region=R.");
}

Result<std::string> no_backup(const std::string&) {
  return wrong("A table is backed up by its service: see point-in-time recovery.");
}

// Nothing is written to the table, so each process has keys of its own, unless a file has them.
Result<OpenStore> open_adopted_store(const dynamodb::Address& address, PageIndex* index) {
  TRY(auto parts, open_adopted(address, index != nullptr));
  auto refuses = [table = parts.table](change::State state) -> Awaitable<std::string> {
    co_return table.misfit(state.stream);
  };
  auto store = std::make_unique<adopted::AdoptedStore>(std::move(parts.access),
                                                       std::move(parts.table), index);
  auto keys = [](KeyUse use, Access) -> Result<std::vector<Seal::Key>> {
    if (use == KeyUse::cursors) return open_keys(use, {}, Access::read);
    return wrong("A table that others made has no customers.");
  };
  return OpenStore{std::move(store), keys, {}, no_backup, refuses};
}

Result<OpenStore> open_table(const std::string& text, Access access, PageIndex* index) {
  TRY(auto address, dynamodb::parse_address(text, dynamodb::system_configuration()));
  if (!address.map.empty()) return open_adopted_store(address, index);
  auto store = std::make_unique<dynamodb::TableStore>(address);
  if (access == Access::write) {
    auto ready = wait(store->ready());  // nothing is written to a table that is none of Quire's
    if (!ready) return ready.error();
  }
  auto keys = [kept = store.get()](KeyUse use, Access access) {
    return table_keys(use, *kept, access);
  };
  auto check = [kept = store.get()](std::string fresh) {
    return wait(kept->keys("CUSTOMER-CHECK", std::move(fresh)));
  };
  auto refuses = [kept = store.get()](change::State state) -> Awaitable<std::string> {
    auto& access = kept->access();
    bool same = co_await access.loop.run(access.present_stream.is(std::move(state.stream)));
    co_return same ? "" : std::string(dynamodb::another_stream);
  };
  return OpenStore{std::move(store), keys, check, no_backup, refuses};
}

}  // namespace

Result<std::unique_ptr<PageIndex>> open_pages(const std::string& pages, const std::string& store,
                                              Access access) {
  bool table = store.starts_with("dynamodb:");
  if (pages.empty() || pages == "none" || (pages == "store" && !table))
    return std::unique_ptr<PageIndex>();
  if (pages == "store")
    return wrong_pages(
        "A table keeps no page index. Name one beside it, such as --pages redis://HOST, or none.");
  for (const auto& each : schemes) {
    if (!pages.starts_with(each.scheme)) continue;
    if (!table)
      return wrong_pages(
          "An embedded store numbers its pages itself, and has no stream that a page index could "
          "follow: --pages store or none.");
    TRY(auto address, dynamodb::parse_address(store, dynamodb::system_configuration()));
    if (!address.map.empty() && each.open != open_lmdb)
      return wrong_pages(
          "A table that others made needs a page index that keeps its keys: --pages lmdb:DIR.");
    return each.open(pages, address.table, access);
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

Status is_there(const std::string& address) {
  if (address.starts_with(dynamodb_scheme)) return Done{};
  TRY(auto directory, directory_of(address));
  return embedded::is_there(directory);
}

Result<OpenStore> open_store(const std::string& address, Access access, PageIndex* index) {
  if (address.starts_with(dynamodb_scheme)) return open_table(address, access, index);
  TRY(auto directory, directory_of(address));
  TRY(auto store, embedded::LmdbStore::open(directory, access));
  auto keys = [from = directory](KeyUse use, Access access) {
    return open_keys(use, (std::filesystem::path(from) / file_name(use)).string(), access);
  };
  auto check = [kept = store.get()](std::string fresh) -> Result<std::string> {
    if (fresh.empty()) return kept->customer_check();
    return wait(kept->keep_customer_check(std::move(fresh)));
  };
  // Made with the store, so that a reader's cursors can be opened by the next process. A request
  // for the keys reports the error.
  bool made =
      std::filesystem::exists(std::filesystem::path(directory) / file_name(KeyUse::cursors));
  if (access == Access::write && !made) (void)keys(KeyUse::cursors, access);
  auto backup = [from = directory,
                 kept = store.get()](const std::string& to) -> Result<std::string> {
    TRY(auto missing, embedded::backup(kept->databases(), from, to));
    return missing ? missing.text() : "";
  };
  return OpenStore{std::move(store), keys, check, backup};
}

Result<identity::CustomerKey> customer_key_of(const OpenStore& open, const std::string& file,
                                              Access access) {
  if (!open.customer_check) return open.keys(KeyUse::customers, access).error();
  auto known = open.customer_check({});
  if (!known) return known.error();
  auto making = known->empty() ? access : Access::read;
  TRY(auto keys, file.empty() ? open.keys(KeyUse::customers, making)
                              : open_keys(KeyUse::customers, file, making));
  identity::CustomerKey key(keys.front());
  auto check = key.check();
  if (*known != check && access == Access::write) known = open.customer_check(check);
  if (!known) return known.error();
  if (known->empty() || *known == check) return key;
  return Error{ErrorCode::unavailable,
               (file.empty() ? "The key of customers" : "The key in " + file) +
                   " is not the one by which this store keeps its customers: each would be a new "
                   "person. Name the file that the server has: --customer-key FILE.",
               "customer-key"};
}

Status has_customer_key(const OpenStore& open, const std::string& file, std::string_view check) {
  constexpr std::string_view anyway =
      " --new-customers takes such rows all the same: their customers are new persons, who do not "
      "find their comments.";
  auto refused = [&](std::string why) {
    return Error{ErrorCode::unavailable, why.append(anyway), "customer-key"};
  };
  if (check.empty())
    return refused(
        "customer: no line {\"customer_key\": …} before this row tells by which key it is kept. "
        "Put that line of the export first, or export again.");
  if (!open.customer_check) return open.keys(KeyUse::customers, Access::read).error();
  auto known = open.customer_check({});
  if (!known) return known.error();
  auto keys = file.empty() ? open.keys(KeyUse::customers, Access::read)
                           : open_keys(KeyUse::customers, file, Access::read);
  auto own = keys ? identity::CustomerKey(keys->front()).check() : "";
  if (known->empty() && own == check) known = open.customer_check(own);
  if (!known) return known.error();
  if (*known == check) return Done{};
  if (!known->empty())
    return refused(
        "customer: this store keeps its customers by another key. Import into a store without "
        "customers, with a copy of the file customer-key of the store that was exported.");
  return refused(
      "customer: the key by which it is kept is not here. Copy the file customer-key of the store "
      "that was exported into this store's directory, or name it: --customer-key FILE. Of a table "
      "it is the item CUSTOMER-KEY.");
}

Result<Verified> verify_store(const std::string& address) try {
  if (address.starts_with(dynamodb_scheme)) return only_embedded("verify");
  TRY(auto directory, directory_of(address));
  TRY(auto databases, embedded::open_databases(directory, Access::read));
  auto found = embedded::verify(*databases);
  return Verified{found.comments, found.differences, std::move(found.reports), found.pages_damaged};
} catch (const std::system_error& failed) {
  return Error{ErrorCode::unavailable,
               "Cannot read " + address + ": " + failed.code().message() + "."};
}

Result<Repaired> repair_store(const std::string& address) {
  if (address.starts_with(dynamodb_scheme)) return only_embedded("verify --repair");
  TRY(auto directory, directory_of(address));
  TRY(auto store, embedded::LmdbStore::open(directory, Access::write));
  TRY(auto rebuilt, wait(store->rebuild()));
  return Repaired{rebuilt.comments, std::move(rebuilt.set_aside), std::move(rebuilt.facts_aside),
                  rebuilt.lost_facets, rebuilt.removed};
}

Result<std::string> compact_store(
    const std::string& address,
    const std::function<void(double part, std::uint64_t entries)>& progress) {
  if (address.starts_with(dynamodb_scheme)) return only_embedded("compact");
  TRY(auto directory, directory_of(address));
  TRY_DONE(embedded::is_there(directory));
  TRY(auto databases, embedded::open_databases(directory, Access::write));
  TRY(auto missing, embedded::compact(*databases, progress));
  return missing ? missing.text() : "";
}

}  // namespace quire
