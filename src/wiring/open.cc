#include "wiring/open.h"

#include "store/lmdb/backup.h"
#include "store/lmdb/store.h"
#include "store/lmdb/verify.h"
#include "wiring/wait.h"

namespace quire {

namespace {

Result<std::string> directory_of(const std::string& address) {
  constexpr std::string_view lmdb = "lmdb:";
  if (address.starts_with(lmdb) && address.size() > lmdb.size()) return address.substr(lmdb.size());
  return Error{ErrorCode::invalid_parameter,
               "\"" + address + "\" names no store. Use lmdb:DIR, for instance lmdb:./quire-data.",
               "store"};
}

}  // namespace

Result<OpenStore> open_store(const std::string& address, Access access) {
  auto directory = directory_of(address);
  if (!directory) return directory.error();
  auto store = embedded::LmdbStore::open(*directory, access);
  if (!store) return store.error();
  auto backup = [from = *directory, kept = store->get()](const std::string& to) {
    return embedded::backup(kept->databases(), from, to);
  };
  return OpenStore{std::move(*store), *directory, backup};
}

Result<Verified> verify_store(const std::string& address) {
  auto directory = directory_of(address);
  if (!directory) return directory.error();
  auto databases = embedded::open_databases(*directory, Access::read);
  if (!databases) return databases.error();
  auto found = embedded::verify(**databases);
  return Verified{found.comments, found.differences, std::move(found.reports)};
}

Result<Repaired> repair_store(const std::string& address) {
  auto directory = directory_of(address);
  if (!directory) return directory.error();
  auto store = embedded::LmdbStore::open(*directory, Access::write);
  if (!store) return store.error();
  auto rebuilt = wait((*store)->rebuild());
  if (!rebuilt) return rebuilt.error();
  return Repaired{rebuilt->comments, std::move(rebuilt->set_aside)};
}

}  // namespace quire
