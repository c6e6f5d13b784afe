// Fuzzes a store with changed bytes on disk. Input: edits of four bytes (database, row, deed,
// length) and the new bytes.
#include "lmdb/numbers.h"
#include "shop.h"
#include "store/embedded/upkeep/verify.h"

namespace quire::fuzz {
namespace {

namespace files = std::filesystem;
using embedded::Databases;
using embedded::LmdbStore;

constexpr std::size_t max_edits = 16;
constexpr std::size_t max_key = 300;  // LMDB refuses much longer ones

// An intact store.
const std::string& sound_store() {
  static const TemporaryDirectory directory;
  static const bool filled = [] {
    spdlog::set_level(spdlog::level::off);
    auto store = LmdbStore::open(directory.path(), Access::write).value();
    auto comments = a_few_comments();
    RequestKey once{{1}, {2}, now_ms};
    wait(store->insert(comments.back(), once)).value();
    comments.pop_back();
    for (std::size_t i = 0; i < comments.size(); ++i) {
      if (i % 3) comments[i].attributes["size"] = i % 2 ? "S" : "XL";
      if (i % 5) comments[i].attributes["votes"] = static_cast<std::int64_t>(i * i);
    }
    wait(store->facets()->declare({"size", FacetType::choice})).value();
    wait(store->facets()->declare({"votes", FacetType::number})).value();
    wait(store->insert_many(comments)).value();
    return true;
  }();
  (void)filled;
  return directory.path();
}

std::string edited(std::string value, std::uint8_t deed, std::string_view bytes) {
  switch (deed % 4) {
    case 0:
      return std::string(bytes);
    case 1: {
      auto at = bytes.empty() ? 0 : static_cast<std::uint8_t>(bytes[0]) % (value.size() + 1);
      value.replace(at, bytes.size(), bytes);
      return value;
    }
    case 2:
      value.resize(value.size() - std::min(value.size(), bytes.size()));
      return value;
    default:
      return value.append(bytes);
  }
}

// Bits of the deed above the two bits of edited(): remove the row; edit the key instead of the
// value; keep the old checksum.
enum : std::uint8_t { remove_row = 4, edit_key = 8, keep_checksum = 16 };

struct Database {
  MDB_dbi dbi;
  std::optional<lmdb::Sealed> sealed = {};
  std::size_t value_size = 0;  // the only one that LMDB takes there; 0: any
};

void edit(lmdb::WriteTransaction& txn, const Database& database, std::uint8_t row,
          std::uint8_t deed, std::string_view bytes) {
  std::string key, value;
  {
    lmdb::Cursor cursor(txn.get(), database.dbi);
    bool there = cursor.move(MDB_FIRST);
    for (; there && row > 0; --row) there = cursor.move(MDB_NEXT);
    if (!there) return;
    key = cursor.key();
    value = cursor.value();
  }
  bool seal = database.sealed && !(deed & keep_checksum);
  if (seal) value.resize(value.size() - std::min(value.size(), lmdb::seal_size));
  if (deed & remove_row) txn.remove(database.dbi, key);
  auto& part = deed & edit_key ? key : value;
  part = edited(std::move(part), deed, bytes);
  if (database.value_size > 0) value.resize(database.value_size);
  if (key.empty() || key.size() > max_key || (deed & remove_row && !(deed & edit_key))) return;
  if (seal)
    txn.put(*database.sealed, key, value);
  else
    txn.put(database.dbi, key, value);
}

void damage(const std::string& directory, std::string_view edits) {
  auto databases = embedded::open_databases(directory, Access::write).value();
  const Databases& db = *databases;
  auto sealed = [](const lmdb::Sealed& database) { return Database{database.dbi, database}; };
  const Database all[] = {sealed(db.products),
                          sealed(db.comments),
                          sealed(db.ids),
                          {db.index.ids, {}, Ulid::size},
                          {db.leaders},
                          sealed(db.damaged),
                          sealed(db.once),
                          {db.once_by_time},
                          sealed(db.meta),
                          sealed(db.once_by_id),
                          sealed(db.facets),
                          sealed(db.index.blocks),
                          sealed(db.index.counts),
                          sealed(db.index.texts)};
  lmdb::WriteTransaction txn(*db.environment);
  for (std::size_t i = 0; i < max_edits && edits.size() >= 4; ++i) {
    const auto& database = all[take_byte(edits) % std::size(all)];
    auto row = take_byte(edits), deed = take_byte(edits);
    auto bytes = edits.substr(0, take_byte(edits));
    edits.remove_prefix(bytes.size());
    edit(txn, database, row, deed, bytes);
  }
  txn.commit();
}

// A damaged store may cause errors and exceptions, but no crash and no endless loop.
template <class Ask>
void attempt(Ask ask) {
  try {
    ask();
  } catch (const std::exception&) {
  }
}

void read(LmdbStore& store) {
  Comments comments(store, bitmap::listings(), Seal({Seal::Key{1}}), [] { return now_ms; });
  for (auto sort : {Sort::newest, Sort::oldest, Sort::highest, Sort::lowest}) {
    for (std::uint64_t number : {1, 2, 7}) {
      Query query{.product = "42", .languages = {"en", "de"}, .ratings = {1, 5}, .limit = 5};
      query.sort = sort;
      query.page = number;
      attempt([&] {
        auto page = wait(comments.page(query));
        if (page) require(page->rows.size() <= query.limit, "a page keeps its limit");
      });
      attempt([&] { (void)wait(comments.page_of(a_few_comments()[0].id, query)); });
    }
    Query all{.product = "42", .limit = 100};
    all.sort = sort;
    attempt([&] {
      auto page = wait(comments.page(all));
      for (const auto& row : page ? page->rows : std::vector<Entry>{})
        decode_document(row.document);
    });
  }
  attempt([&] { (void)wait(comments.statistics({.product = "42", .languages = {"en"}})); });
  attempt([&] { (void)wait(comments.leaderboard(Leaders::average, {}, 10)); });
  attempt([&] { (void)wait(comments.leaderboard(Leaders::five_star, "en", 10)); });
  attempt([&] { (void)wait(comments.products({}, 100)); });
  attempt([&] { (void)wait(store.view()->scan({}, 1000)); });
  Query under{.product = "42", .facets = {{"size", {"S"}}, {"votes", {}, {}, {}, 4, 900}}};
  under.sort = Sort::highest;
  under.sort_facet = "votes";
  under.skip = 3;
  under.counts = true;
  attempt([&] { (void)wait(comments.page(under)); });
}

void write(LmdbStore& store) {
  auto comment = a_few_comments()[0];
  attempt([&] { (void)wait(store.update(comment.id, {.language = "sv", .rating = 2})); });
  attempt([&] { (void)wait(store.remove(comment.id)); });
  attempt([&] { (void)wait(store.insert(comment, RequestKey{{1}, {2}, now_ms + 1})); });
  attempt([&] { (void)wait(store.insert(comment, RequestKey{{3}, {2}, now_ms + 100'000'000})); });
  attempt([&] { (void)wait(store.facets()->declare({"fit", FacetType::tags})); });
  attempt([&] { (void)wait(store.facets()->drop("votes")); });
}

void repair(LmdbStore& store) {
  std::string trouble;
  try {
    auto rebuilt = wait(store.rebuild());
    if (!rebuilt) trouble = rebuilt.error().message;
    auto verified = embedded::verify(store.databases());
    if (verified.differences > 0) trouble = verified.reports.at(0);
  } catch (const std::exception& failure) {
    trouble = failure.what();
  }
  std::fprintf(stderr, "%s", trouble.c_str());
  require(trouble.empty(), "a store can be repaired");
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire;
  using namespace quire::fuzz;
  TemporaryDirectory directory;
  std::filesystem::copy_file(sound_store() + "/data.mdb", directory.path() + "/data.mdb");
  damage(directory.path(), text_of(data, size));
  auto store = embedded::LmdbStore::open(directory.path(), Access::write);
  if (!store) return 0;
  read(**store);
  attempt([&] { embedded::verify((*store)->databases()); });
  write(**store);
  repair(**store);
  return 0;
}
