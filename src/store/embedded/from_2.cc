// Upgrades a store from format 2 to 3: values get checksums, documents lose the escapes of <, > and
// &, and an index finds the request key of a comment.
#include <stdexcept>

#include "lmdb/ranked_set.h"
#include "model/document.h"
#include "store/embedded/format.h"
#include "store/embedded/upgrade.h"

namespace quire::embedded {
namespace {

using Bytes = std::string_view;

constexpr const char* names[] = {"meta",    "products", "comments", "ids",         "lists",
                                 "leaders", "damaged",  "once",     "once_by_time"};

class FromTwo {
 public:
  FromTwo(MDB_txn* from, lmdb::NewFile& to, const lmdb::Progress& progress)
      : from_(from), to_(to), copying_(from, entries(), progress) {}

  void run() {
    meta();
    seal("products");
    auto comments = to_.open_sealed("comments");
    copying_.walk(old("comments"),
                  [&](Bytes key, Bytes value) { to_.append(comments, key, rewritten(value)); });
    seal("ids");
    lists();
    copying_.copy(old("leaders"), "leaders", to_);
    seal("damaged");
    requests();
  }

 private:
  MDB_dbi old(const char* name) const { return lmdb::open_database(from_, name, 0); }

  std::uint64_t entries() const {
    std::uint64_t sum = 0;
    for (auto name : names) {
      MDB_stat stat{};
      lmdb::check("reading", mdb_stat(from_, old(name), &stat));
      sum += stat.ms_entries;
    }
    return sum;
  }

  void meta() {
    auto next = lmdb::find(from_, old("meta"), "next_block");
    // In a later format the row has a checksum: then the row of the format is damaged.
    if (!next || next->size() != 4)
      throw std::runtime_error("it is not of format 2, though it says so");
    auto database = to_.open_sealed("meta");
    to_.append(database.dbi, "format", format_row(3));
    to_.append(database, "next_block", *next);
  }

  void seal(const char* name) {
    auto database = to_.open_sealed(name);
    copying_.walk(old(name), [&](Bytes key, Bytes value) { to_.append(database, key, value); });
  }

  // A document that cannot be read stays unchanged: quire verify --repair sets it aside.
  static std::string rewritten(Bytes document) {
    auto comment = decode_document(document);
    return comment ? encode_document(*comment) : std::string(document);
  }

  void lists() {
    MDB_dbi lists = to_.open("lists");
    copying_.walk(old("lists"), [&](Bytes key, Bytes value) {
      if (value.size() != 8) return to_.append(lists, key, value);
      auto count = lmdb::count_of(lmdb::Counts::plain, key, value);
      if (count >> 40) return to_.append(lists, key, value);  // quire verify reports it
      auto checked = lmdb::count_value(lmdb::Counts::checked, key, count);
      to_.append(lists, key, {checked.data(), checked.size()});
    });
  }

  // Leaves out the request keys of deleted comments.
  void requests() {
    auto once = to_.open_sealed("once"), by_id = to_.open_sealed("once_by_id");
    MDB_dbi by_time = to_.open("once_by_time"), ids = old("ids");
    copying_.walk(old("once"), [&](Bytes key, Bytes value) {
      constexpr std::size_t head = 24;  // time, digest of the body
      auto comment = value.size() > head ? decode_document(value.substr(head)) : std::nullopt;
      if (!comment || key.size() != 16 || !lmdb::find(from_, ids, comment->id.view())) return;
      OnceRow row{get_u64(value.data()), {}, comment->id, encode_document(*comment)};
      std::copy_n(value.data() + 8, row.body.size(), row.body.begin());
      to_.append(once, key, encode_once(row));
      to_.put(by_id, row.id.view(), key);
      to_.put(by_time, once_by_time_key(row.time_ms, key), {});
    });
  }

  MDB_txn* from_;
  lmdb::NewFile& to_;
  lmdb::Copying copying_;
};

}  // namespace

void upgrade_from_2(MDB_txn* from, lmdb::NewFile& to, const lmdb::Progress& progress) {
  FromTwo(from, to, progress).run();
}

}  // namespace quire::embedded
