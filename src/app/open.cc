#include "app/open.h"

#include <filesystem>
#include <system_error>

#include "app/adopted.h"
#include "app/cursor_keys.h"
#include "loop/wait.h"
#include "store/dynamodb/adopted/store.h"
#include "store/dynamodb/store.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/backup.h"
#include "store/embedded/upkeep/compact.h"
#include "store/embedded/upkeep/verify.h"

namespace quire {

namespace {

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
  auto parts = open_adopted(address, index != nullptr);
  if (!parts) return parts.error();
  auto refuses = [table = parts->table](const change::State& state) {
    return table.fits(state.stream) ? "" : adopted::another_mapping().message;
  };
  auto store = std::make_unique<adopted::AdoptedStore>(std::move(parts->access),
                                                       std::move(parts->table), index);
  auto keys = [] { return open_cursor_keys({}, Access::read); };
  return OpenStore{std::move(store), keys, no_backup, refuses};
}

Result<OpenStore> open_table(const std::string& text, Access access, PageIndex* index) {
  auto address = dynamodb::parse_address(text, dynamodb::system_configuration());
  if (!address) return address.error();
  if (!address->map.empty()) return open_adopted_store(*address, index);
  auto store = std::make_unique<dynamodb::TableStore>(*address);
  if (access == Access::write) {
    auto ready = wait(store->ready());  // nothing is written to a table that is none of Quire's
    if (!ready) return ready.error();
  }
  auto keys = [kept = store.get()] { return table_cursor_keys(*kept); };
  return OpenStore{std::move(store), keys, no_backup};
}

}  // namespace

Status is_there(const std::string& address) {
  if (address.starts_with(dynamodb_scheme)) return Done{};
  auto directory = directory_of(address);
  if (!directory) return directory.error();
  return embedded::is_there(*directory);
}

Result<OpenStore> open_store(const std::string& address, Access access, PageIndex* index) {
  if (address.starts_with(dynamodb_scheme)) return open_table(address, access, index);
  auto directory = directory_of(address);
  if (!directory) return directory.error();
  auto store = embedded::LmdbStore::open(*directory, access);
  if (!store) return store.error();
  auto file = *directory + "/cursor-keys";
  // Made with the store, so that a reader's cursors can be opened by the next process. An error
  // shows when somebody asks for the keys.
  if (access == Access::write && !std::filesystem::exists(file))
    (void)open_cursor_keys(file, access);
  auto keys = [file, access] { return open_cursor_keys(file, access); };
  auto backup = [from = *directory,
                 kept = store->get()](const std::string& to) -> Result<std::string> {
    auto missing = embedded::backup(kept->databases(), from, to);
    if (!missing) return missing.error();
    return *missing ? missing->text() : "";
  };
  return OpenStore{std::move(*store), keys, backup};
}

Result<Verified> verify_store(const std::string& address) try {
  if (address.starts_with(dynamodb_scheme)) return only_embedded("verify");
  auto directory = directory_of(address);
  if (!directory) return directory.error();
  auto databases = embedded::open_databases(*directory, Access::read);
  if (!databases) return databases.error();
  auto found = embedded::verify(**databases);
  return Verified{found.comments, found.differences, std::move(found.reports), found.pages_damaged};
} catch (const std::system_error& failed) {
  return Error{ErrorCode::unavailable,
               "Cannot read " + address + ": " + failed.code().message() + "."};
}

Result<Repaired> repair_store(const std::string& address) {
  if (address.starts_with(dynamodb_scheme)) return only_embedded("verify --repair");
  auto directory = directory_of(address);
  if (!directory) return directory.error();
  auto store = embedded::LmdbStore::open(*directory, Access::write);
  if (!store) return store.error();
  auto rebuilt = wait((*store)->rebuild());
  if (!rebuilt) return rebuilt.error();
  return Repaired{rebuilt->comments, std::move(rebuilt->set_aside), rebuilt->lost_facets};
}

Result<std::string> compact_store(
    const std::string& address,
    const std::function<void(double part, std::uint64_t entries)>& progress) {
  if (address.starts_with(dynamodb_scheme)) return only_embedded("compact");
  auto directory = directory_of(address);
  if (!directory) return directory.error();
  if (auto there = embedded::is_there(*directory); !there) return there.error();
  auto databases = embedded::open_databases(*directory, Access::write);
  if (!databases) return databases.error();
  auto missing = embedded::compact(**databases, progress);
  if (!missing) return missing.error();
  return *missing ? missing->text() : "";
}

}  // namespace quire
