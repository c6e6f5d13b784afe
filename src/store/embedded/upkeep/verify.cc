#include "store/embedded/upkeep/verify.h"

#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "lmdb/data_file.h"
#include "lmdb/ranked_levels.h"
#include "model/document.h"
#include "model/index.h"
#include "store/embedded/edit.h"

namespace quire::embedded {
namespace {

struct Product {
  std::string name;
  ProductRow row;
  ProductRow recounted;  // the same blocks, with counts from zero
};

struct ListName {
  Product* product;
  Cell list;
};

class Verifier {
 public:
  explicit Verifier(const Databases& databases)
      : db_(databases), file_(databases.directory + "/data.mdb") {
    do txn_.emplace(*databases.environment);
    while (!(state_ = lmdb::state_of(
                 file_, txn_->number())));  // until a busy writer has not reused its meta page
  }

  Verified run() {
    check_pages();
    if (verified_.pages_damaged) return std::move(verified_);
    read_products();
    check_comments();
    check_ids();
    check_lists();
    check_counts();
    check_leaders();
    check_next_block();
    check_requests();
    check_set_aside();
    return std::move(verified_);
  }

 private:
  static constexpr std::size_t max_reports = 1000;

  void report(std::string what) {
    if (++verified_.differences <= max_reports) verified_.reports.push_back(std::move(what));
  }

  // LMDB trusts the pages, so the other checks need whole pages.
  void check_pages() {
    for (auto& fault : lmdb::walk(file_, *state_, true).faults) {
      report("the pages of data.mdb are damaged: " + fault);
      verified_.pages_damaged = true;
    }
  }

  // The value under the cursor. Nothing: it is damaged.
  std::optional<std::string_view> value(const lmdb::Sealed& database, const lmdb::Cursor& cursor) {
    return lmdb::unsealed(database.seed, cursor.key(), cursor.value());
  }

  void read_products() {
    lmdb::Cursor cursor(txn_->get(), db_.products);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      auto row = read_row(cursor);
      if (!row) continue;
      Product product{std::string(cursor.key()), std::move(*row), {}};
      product.recounted = product.row;
      for (auto& language : product.recounted.languages) language.comments = {};
      products_.emplace(product.row.block, std::move(product));
    }
    for (auto& [block, product] : products_) {
      name_block(block, product, any);
      for (const auto& row : product.row.languages) name_block(row.block, product, row.language);
    }
  }

  std::optional<ProductRow> read_row(const lmdb::Cursor& cursor) {
    try {
      if (auto row = value(db_.products, cursor)) return decode_product(*row);
    } catch (const std::runtime_error&) {
    }
    report(fmt::format("the row of product {} is damaged", cursor.key()));
    return {};
  }

  // Checks the size of the key under the cursor.
  bool sized(const lmdb::Cursor& cursor, std::size_t size, std::string_view database) {
    if (cursor.key().size() == size) return true;
    report(fmt::format("{} has a key of {} bytes", database, cursor.key().size()));
    return false;
  }

  bool empty(const lmdb::Cursor& cursor, std::string_view database) {
    if (cursor.value().empty()) return true;
    report(fmt::format("{} has a value where there is none", database));
    return false;
  }

  void name_block(Block block, Product& product, FacetValue language) {
    for (FacetValue rating = 0; rating <= 5; ++rating) {
      auto [at, fresh] =
          lists_.emplace(block << 3 | rating, ListName{&product, {language, rating}});
      if (!fresh) report(fmt::format("list number {} is used twice", at->first));
    }
  }

  void check_comments() {
    lmdb::Cursor cursor(txn_->get(), db_.comments);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      ++verified_.comments;
      if (!sized(cursor, 20, "comments")) continue;
      Ulid id = id_at_end(cursor.key());
      auto product = products_.find(get_u32(cursor.key().data()));
      auto document = value(db_.comments, cursor);
      auto comment = document ? decode_document(*document) : std::nullopt;
      if (product == products_.end() || !comment || comment->id != id ||
          comment->product != product->second.name) {
        report(fmt::format("comment {} is damaged", id.text()));
        damaged_.insert(id);
        continue;
      }
      check_comment(*comment, product->second);
    }
  }

  void check_comment(const Comment& comment, Product& product) {
    auto id = found(db_.ids, comment.id.view());
    if (!id || id->size() != 4 || get_u32(id->data()) != product.row.block) {
      report(fmt::format("comment {} cannot be found by its id", comment.id.text()));
    }
    auto values = cell(comment.language, comment.rating);
    auto* language = product.recounted.find(values[language_facet]);
    if (!language) {
      report(fmt::format("product {} does not know language {}", product.name, comment.language));
      return;
    }
    ++language->comments[comment.rating - 1];
    for (std::size_t i = 0; i < indexes.size(); ++i) {
      auto list = list_of(indexes[i], values);
      if (!txn_->find(db_.lists,
                      lmdb::RankedKey(product.row.list_number(list).value(), 0, comment.id))) {
        report(fmt::format("comment {} is missing from {}", comment.id.text(),
                           list_key(product.name, list)));
      }
    }
  }

  // The value under a key. Nothing: it is missing or damaged.
  std::optional<std::string_view> found(const lmdb::Sealed& database, std::string_view key) {
    auto bytes = txn_->find(database.dbi, key);
    return bytes ? lmdb::unsealed(database.seed, key, *bytes) : std::nullopt;
  }

  void check_ids() {
    lmdb::Cursor cursor(txn_->get(), db_.ids);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      if (!sized(cursor, Ulid::size, "ids")) continue;
      Ulid id = id_at_end(cursor.key());
      auto block = value(db_.ids, cursor);
      bool whole = block && block->size() == 4;
      if (!whole || !txn_->find(db_.comments.dbi, comment_key(get_u32(block->data()), id))) {
        report(fmt::format("id {} is damaged, or names a comment that is not there", id.text()));
      }
    }
  }

  // Checks list by list: the ids, then the levels that follow from the ids.
  void check_lists() {
    lmdb::Cursor cursor(txn_->get(), db_.lists);
    bool there = cursor.move(MDB_FIRST);
    while (there) {
      if (cursor.key().size() < 5) {
        sized(cursor, 21, "lists");
        there = cursor.move(MDB_NEXT);
        continue;
      }
      lmdb::List list = get_u32(cursor.key().data());
      lmdb::RankedLevels levels(list);
      auto same = [&] { return there && cursor.key().starts_with(text_of(list)); };
      for (; same() && cursor.key()[4] == 0; there = cursor.move(MDB_NEXT)) {
        if (!sized(cursor, 21, "lists") || !empty(cursor, "lists")) continue;
        Ulid id = id_at_end(cursor.key());
        levels.add(id);
        check_entry(list, id);
      }
      auto expected = levels.rows();
      auto next = expected.begin();
      for (; same(); there = cursor.move(MDB_NEXT)) {
        for (; next != expected.end() && std::string_view(next->key) < cursor.key(); ++next)
          report_rank(list, "lacks an entry");
        if (next == expected.end() || std::string_view(next->key) != cursor.key()) {
          report_rank(list, "has an entry too many");
          continue;
        }
        auto right = lmdb::count_value(lmdb::Counts::checked, cursor.key(), next->count);
        if (cursor.value() != std::string_view(right.data(), right.size()))
          report_rank(list, "counts wrongly");
        ++next;
      }
      for (; next != expected.end(); ++next) report_rank(list, "lacks an entry");
    }
  }

  static std::string text_of(lmdb::List list) {
    std::string text(4, '\0');
    put_u32(text.data(), list);
    return text;
  }

  void report_rank(lmdb::List list, std::string_view what) {
    auto known = lists_.find(list);
    report(fmt::format("the page index of {} {}",
                       known == lists_.end()
                           ? fmt::format("list number {}", list)
                           : list_key(known->second.product->name, known->second.list),
                       what));
  }

  void check_entry(lmdb::List number, const Ulid& id) {
    auto list = lists_.find(number);
    if (list == lists_.end()) {
      report(fmt::format("an entry of comment {} belongs to no known list", id.text()));
      return;
    }
    auto [product, name] = list->second;
    auto document = found(db_.comments, comment_key(product->row.block, id));
    if (!document || damaged_.contains(id) || !covers(name, document_cell(*document))) {
      report(fmt::format("{} holds {}, which does not belong there", list_key(product->name, name),
                         id.text()));
    }
  }

  void check_next_block() {
    auto next = found(db_.meta, "next_block");
    bool right = next && next->size() == 4;
    for (auto at = lists_.begin(); right && at != lists_.end(); ++at)
      right = at->first >> 3 < get_u32(next->data());
    if (!right) report("the next list number is one that is in use");
  }

  void check_leaders() {
    std::set<std::string> expected;
    for (const auto& [block, product] : products_) {
      for (auto kind : {LeaderKind::five_star, LeaderKind::average}) {
        auto add = [&](FacetValue language, const RatingCounts& counts) {
          if (auto key = leader_key(kind, language, product.name, counts))
            expected.insert(std::move(*key));
        };
        add(any, product.recounted.ratings());
        for (const auto& row : product.recounted.languages) add(row.language, row.comments);
      }
    }
    lmdb::Cursor cursor(txn_->get(), db_.leaders);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      if (!empty(cursor, "leaders") || expected.erase(std::string(cursor.key())) == 0)
        report("the leaderboard has an entry that no product's counts give");
    }
    for (const auto& key : expected)
      report(fmt::format("the leaderboard lacks product {}", leader_product(key)));
  }

  // Each request key must have one entry by its time and one by its comment; no other entries may
  // exist.
  void check_requests() {
    std::size_t rows = 0;
    lmdb::Cursor cursor(txn_->get(), db_.once);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT), ++rows) {
      auto bytes = value(db_.once, cursor);
      if (!bytes || bytes->size() < encode_once({}).size() || cursor.key().size() != 16) {
        report("a request key's row is damaged");
        continue;
      }
      OnceRow row = decode_once(*bytes);
      auto by_time = txn_->find(db_.once_by_time, once_by_time_key(row.time_ms, cursor.key()));
      if (!by_time || !by_time->empty()) report("a request key cannot be found by its time");
      if (found(db_.once_by_id, row.id.view()) != cursor.key())
        report("a request key cannot be found by its comment");
      if (!txn_->find(db_.ids.dbi, row.id.view()))
        report(fmt::format("comment {} is gone, and its request key is not", row.id.text()));
    }
    for (MDB_dbi dbi : {db_.once_by_time, db_.once_by_id.dbi}) {
      MDB_stat stat{};
      lmdb::check("reading", mdb_stat(txn_->get(), dbi, &stat));
      if (stat.ms_entries != rows) report("there are entries of request keys that are gone");
    }
  }

  void check_set_aside() {
    lmdb::Cursor cursor(txn_->get(), db_.damaged);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      if (!value(db_.damaged, cursor)) report("a row that was set aside is damaged");
    }
  }

  void check_counts() {
    for (const auto& [block, product] : products_) {
      for (std::size_t i = 0; i < product.row.languages.size(); ++i) {
        const auto& kept = product.row.languages[i];
        const auto& counted = product.recounted.languages[i];
        for (FacetValue rating = 1; rating <= 5; ++rating) {
          if (kept.comments[rating - 1] == counted.comments[rating - 1]) continue;
          report(fmt::format("{} counts {} comments, but has {}",
                             list_key(product.name, {kept.language, rating}),
                             kept.comments[rating - 1], counted.comments[rating - 1]));
        }
      }
    }
  }

  const Databases& db_;
  lmdb::DataFile file_;
  std::optional<lmdb::ReadTransaction> txn_;
  std::optional<lmdb::Meta> state_;  // the state that the transaction sees
  Verified verified_;
  std::set<Ulid> damaged_;  // comments that cannot be read
  std::unordered_map<Block, Product> products_;
  std::unordered_map<std::uint32_t, ListName> lists_;
};

}  // namespace

Verified verify(const Databases& databases) {
  return Verifier(databases).run();
}

}  // namespace quire::embedded
