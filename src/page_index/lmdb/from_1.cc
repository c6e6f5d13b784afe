#include "page_index/lmdb/from_1.h"

#include <algorithm>
#include <memory>
#include <queue>

#include "bitmap_index/edit.h"
#include "bitmap_index/reading/selection.h"
#include "lmdb/numbers.h"
#include "page_index/lmdb/format.h"
#include "page_index/lmdb/layout.h"

namespace quire::page_index {
namespace {

using lmdb::Damaged;

constexpr std::size_t comments_at_once = 20'000;  // in a transaction

// A list of format 1: the comments of a product in one language, with one rating.
struct OldList {
  std::string language;
  int rating;
  std::uint32_t number;
};

// `00`, then two or three letters.
std::string old_language(std::uint32_t value) {
  std::string text;
  for (int shift = 16; shift >= 0; shift -= 8) {
    if (auto letter = static_cast<char>(value >> shift)) text += letter;
  }
  return text;
}

// A product's row of format 1: its block, and the language and block of each of its languages.
std::vector<OldList> old_lists(std::string_view row) {
  if (row.size() < 4 || row.size() % 8 != 4) throw Damaged("a product's row is damaged");
  std::vector<OldList> lists;
  for (std::size_t at = 4; at < row.size(); at += 8) {
    auto language = old_language(lmdb::get_u32(&row[at]));
    auto block = lmdb::get_u32(&row[at + 4]);
    for (int rating = 1; rating <= 5; ++rating)
      lists.push_back({language, rating, block << 3 | static_cast<std::uint32_t>(rating)});
  }
  return lists;
}

// The entries of one list: keys of list number, a level of 0, and id.
class OldEntries {
 public:
  OldEntries(MDB_txn* txn, MDB_dbi lists, OldList list) : cursor_(txn, lists), list_(list) {
    lmdb::put_u32(prefix_.data(), list.number);
  }

  // The first entry after `id`; absent: of all.
  bool seek(const std::optional<Ulid>& id) {
    std::string key(prefix_.data(), prefix_.size());
    if (id) key += id->next().view();
    return take(cursor_.seek(key, MDB_SET_RANGE));
  }
  bool next() { return take(cursor_.move(MDB_NEXT)); }
  const Ulid& id() const { return id_; }
  const OldList& list() const { return list_; }

 private:
  bool take(bool there) {
    auto key = there ? cursor_.key() : std::string_view();
    if (!key.starts_with(std::string_view(prefix_.data(), prefix_.size()))) return false;
    key.remove_prefix(prefix_.size());
    if (key.size() != Ulid::size) throw Damaged("an entry of a list is damaged");
    std::copy(key.begin(), key.end(), id_.bytes.begin());
    return true;
  }

  lmdb::Cursor cursor_;
  OldList list_;
  std::array<char, 5> prefix_{};
  Ulid id_;
};

// The comments of a product in the order of their ids, merged from its lists. A comment that is in
// two lists, because a part of its history is being applied again, comes once.
class OldProduct {
 public:
  OldProduct(MDB_txn* txn, MDB_dbi lists, std::string_view row, const std::optional<Ulid>& after) {
    for (auto& list : old_lists(row)) {
      auto entries = std::make_unique<OldEntries>(txn, lists, std::move(list));
      if (entries->seek(after)) heap_.push(std::move(entries));
    }
  }

  // Absent: no more.
  std::optional<Comment> next() {
    while (!heap_.empty()) {
      auto entries = heap_.top();
      heap_.pop();
      Comment comment{.id = entries->id(),
                      .language = entries->list().language,
                      .rating = entries->list().rating};
      if (entries->next()) heap_.push(entries);
      if (std::exchange(last_, comment.id) != comment.id) return comment;
    }
    return {};
  }

 private:
  using Entries = std::shared_ptr<OldEntries>;
  struct Later {
    bool operator()(const Entries& a, const Entries& b) const { return b->id() < a->id(); }
  };
  std::priority_queue<Entries, std::vector<Entries>, Later> heap_;
  std::optional<Ulid> last_;
};

// How far the upgrade came: all products before `product`, and its comments up to `id`.
struct Reached {
  std::string product = {};
  std::optional<Ulid> id = {};
};

std::string encode(const Reached& reached) {
  return std::string(reached.id ? reached.id->view() : std::string_view()) + reached.product;
}

Reached decode_reached(std::string_view row) {
  if (row.empty()) return {};
  if (row.size() <= Ulid::size) throw Damaged("the upgrade's row is damaged");
  Reached reached{std::string(row.substr(Ulid::size)), Ulid()};
  std::copy_n(row.begin(), Ulid::size, reached.id->bytes.begin());
  return reached;
}

// One transaction of the upgrade.
class Slice {
 public:
  explicit Slice(lmdb::Environment& environment) : txn_(environment), meta_(txn_.open("meta")) {}

  // True: the index has the new format.
  bool run() {
    if (row("format") != format_row(1)) return true;
    if (txn_.find(meta_, "epoch"))
      begin();
    else
      layout_ = open_layout(txn_.get(), meta_);
    products_ = lmdb::open_database(txn_.get(), "products", 0);
    lists_ = lmdb::open_database(txn_.get(), "lists", 0);
    bool ended = copy();
    if (ended) finish();
    txn_.commit();
    return ended;
  }

  std::size_t comments() const { return copied_; }

 private:
  std::string row(std::string_view key) const {
    return std::string(meta_row(txn_.get(), meta_, key));
  }

  // Programs of format 1 read and write nothing without the row `epoch`. Where it is there though
  // an upgrade had begun, such a program has built its index anew.
  void begin() {
    layout_ = create_layout(txn_, meta_);
    for (MDB_dbi dbi : {layout_.products.dbi, layout_.index.ids, layout_.index.blocks.dbi,
                        layout_.index.counts.dbi, layout_.index.texts.dbi})
      txn_.clear(dbi);
    txn_.put(meta_, "life", row("epoch"));
    txn_.remove(meta_, "epoch");
    txn_.put(meta_, "upgrade", {});
  }

  // True: no comment is left.
  bool copy() {
    auto reached = decode_reached(row("upgrade"));
    lmdb::Cursor cursor(txn_.get(), products_);
    bool there = reached.product.empty() ? cursor.move(MDB_FIRST)
                                         : cursor.seek(reached.product, MDB_SET_RANGE);
    for (; there; there = cursor.move(MDB_NEXT)) {
      if (cursor.key() != reached.product) reached = {std::string(cursor.key()), {}};
      if (!copy(reached, cursor.value())) {
        txn_.put(meta_, "upgrade", encode(reached));
        return false;
      }
    }
    return true;
  }

  // Copies comments of a product, as many as are left in the transaction. True: all of them.
  bool copy(Reached& reached, std::string_view old_row) {
    OldProduct product(txn_.get(), lists_, old_row, reached.id);
    std::vector<Comment> comments;
    while (copied_ < comments_at_once) {
      auto comment = product.next();
      if (!comment) break;
      comments.push_back(std::move(*comment));
      ++copied_;
    }
    if (!comments.empty()) reached.id = comments.back().id;
    put(reached.product, comments);
    return copied_ < comments_at_once;
  }

  void put(const std::string& name, const std::vector<Comment>& comments) {
    if (comments.empty()) return;
    std::vector<bitmap_index::Change> changes;
    for (const auto& comment : comments)
      changes.push_back({comment.id, bitmap_index::values_of(layout_.index.hash_key, {}, comment)});
    bitmap_index::Edit(layout_.index, txn_).apply(number_of(name), changes);
  }

  bitmap_index::Product number_of(const std::string& name) {
    if (auto known = txn_.find(layout_.products, name)) return decode_product(*known).number;
    auto number = next_product(txn_, meta_);
    txn_.put(layout_.products, name, encode_product({number, mdb_txn_id(txn_.get())}));
    return number;
  }

  void finish() {
    for (MDB_dbi dbi : {products_, lists_})
      lmdb::check("dropping the old lists", mdb_drop(txn_.get(), dbi, 1));
    for (const char* key : {"upgrade", "next_block"}) txn_.remove(meta_, key);
    txn_.put(meta_, "format", format_row());
  }

  lmdb::WriteTransaction txn_;
  MDB_dbi meta_, products_ = 0, lists_ = 0;
  IndexLayout layout_;
  std::size_t copied_ = 0;
};

// About how many comments the lists have: four entries each at level 0, and one in 31 above.
double comments_in(lmdb::Environment& environment) {
  lmdb::ReadTransaction txn(environment);
  MDB_stat stat{};
  MDB_dbi lists = 0;
  if (mdb_dbi_open(txn.get(), "lists", 0, &lists) != MDB_SUCCESS) return 1;
  lmdb::check("reading", mdb_stat(txn.get(), lists, &stat));
  return std::max(1.0, static_cast<double>(stat.ms_entries) / 4 * 31 / 32);
}

}  // namespace

void upgrade_from_1(lmdb::Environment& environment, const lmdb::Progress& progress) {
  std::uint64_t copied = 0;
  double all = comments_in(environment);
  for (bool ended = false; !ended;) {
    Slice slice(environment);
    ended = slice.run();
    copied += slice.comments();
    if (progress) progress(std::min(1.0, static_cast<double>(copied) / all), copied);
  }
}

}  // namespace quire::page_index
