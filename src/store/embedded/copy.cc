#include "store/embedded/copy.h"

#include <fmt/format.h>

namespace quire::embedded {
namespace {

constexpr int reader_seconds = 30;

Error still_read(const std::string& directory, pid_t process) {
  return {ErrorCode::unavailable,
          fmt::format("The store in {} is still being read by another process{}. Let it end, and "
                      "try again. Nothing was changed.",
                      directory, process > 0 ? fmt::format(" ({})", process) : "")};
}

}  // namespace

const std::vector<std::pair<const char*, lmdb::Sealed Databases::*>>& sealed_names() {
  static const std::vector<std::pair<const char*, lmdb::Sealed Databases::*>> names = {
      {"meta", &Databases::meta},
      {"products", &Databases::products},
      {"comments", &Databases::comments},
      {"ids", &Databases::ids},
      {"damaged", &Databases::damaged},
      {"once", &Databases::once},
      {"once_by_id", &Databases::once_by_id}};
  return names;
}

std::vector<const char*> database_names() {
  std::vector<const char*> all = {"lists", "leaders", "once_by_time"};
  for (const auto& [name, member] : sealed_names()) all.push_back(name);
  return all;
}

void copy_all(const Databases& databases, MDB_txn* from, lmdb::NewFile& to,
              const lmdb::Progress& progress) {
  std::vector<std::pair<MDB_dbi, const char*>> all;
  for (const auto& [name, member] : sealed_names()) all.emplace_back(databases.*member, name);
  all.emplace_back(databases.lists, "lists");
  all.emplace_back(databases.leaders, "leaders");
  all.emplace_back(databases.once_by_time, "once_by_time");
  std::uint64_t entries = 0;
  for (auto [dbi, name] : all) {
    MDB_stat stat{};
    lmdb::check("reading", mdb_stat(from, dbi, &stat));
    entries += stat.ms_entries;
  }
  lmdb::Copying copying(from, entries, progress);
  for (auto [dbi, name] : all) copying.copy(dbi, name, to);
}

std::optional<Error> rewrite(Databases& databases,
                             const std::function<void(MDB_txn*, lmdb::NewFile&)>& write) {
  const auto& directory = databases.directory;
  lmdb::NewFile file(directory + "/data.mdb.new");
  {
    lmdb::ReadTransaction txn(*databases.environment);
    auto used = lmdb::used_bytes(txn.get());
    lmdb::need_room(directory, used + used / 8);
    write(txn.get(), file);
  }
  file.finish();
  databases.environment.reset();
  if (auto reader = lmdb::put_in_place(directory, file.path(), reader_seconds))
    return still_read(directory, *reader);
  file.keep();
  return {};
}

}  // namespace quire::embedded
