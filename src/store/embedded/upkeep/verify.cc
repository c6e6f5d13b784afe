#include "store/embedded/upkeep/verify.h"

#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "bitmap_index/reading/selection.h"
#include "bitmap_index/verify.h"
#include "lmdb/data_file.h"
#include "product/facts.h"
#include "store/embedded/documents.h"
#include "store/embedded/edit.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/upkeep/verify_events.h"
#include "store/embedded/upkeep/verify_meta.h"
#include "store/embedded/upkeep/verify_votes.h"
#include "store/embedded/upkeep/verify_words.h"

namespace quire::embedded {
namespace {

struct Product {
  std::string name;
  ProductRow row;
  ProductRow recounted = {};  // without a number
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
    check_hash_key();
    check_facets();
    read_products();
    check_comments();
    check_ids();
    check_held(CommentStatus::pending);
    check_held(CommentStatus::rejected);
    check_decisions();
    check_reports();
    check_customers();
    check_tickets();
    for (auto* verify_rows : {verify_votes, verify_words, verify_meta})
      verify_rows(db_, txn_->get(), [this](std::string what) { report(std::move(what)); });
    check_facts();
    check_removed();
    verify_events(db_, txn_->get(), [this](std::string what) { report(std::move(what)); });
    check_counts();
    check_leaders();
    check_next_product();
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

  // The value under the cursor. Absent: it is damaged.
  std::optional<std::string_view> value(const lmdb::Sealed& database, const lmdb::Cursor& cursor) {
    return lmdb::unsealed(database.seed, cursor.key(), cursor.value());
  }

  // The value under a key. Absent: it is missing or damaged.
  std::optional<std::string_view> found(const lmdb::Sealed& database, std::string_view key) {
    auto bytes = txn_->find(database.dbi, key);
    return bytes ? lmdb::unsealed(database.seed, key, *bytes) : std::nullopt;
  }

  void check_hash_key() {
    auto key = found(db_.meta, "hash_key");
    if (key != encode_hash_key(db_.index)) report("the hash key of the index is damaged");
  }

  void check_facets() {
    try {
      facets_ = read_schema(txn_->get(), db_);
    } catch (const std::runtime_error& damaged) {
      report(damaged.what());
      return;
    }
    std::size_t begun = 0;
    for (const auto& row : facets_.facets) {
      bool building = row.state == FacetStatus::State::building;
      begun += row.built.has_value();
      if ((row.built && !building) || begun > 1)
        report(fmt::format("the row of facet {} contradicts itself", row.facet.name));
      if (row.number >= facets_.row.next) report("the next facet number is one that is in use");
    }
  }

  void read_products() {
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.products)) {
      auto row = read_row(entry);
      if (!row) continue;
      auto [at, fresh] =
          products_.emplace(row->number, Product{std::string(entry.key()), std::move(*row)});
      if (!fresh) report(fmt::format("product number {} is used twice", at->first));
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

  // Checks the comments, and the index against them.
  void check_comments() {
    bitmap_index::Verification index(txn_->get(), db_.index, facets_.dropping);
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.comments)) {
      ++verified_.comments;
      if (!sized(entry, 20, "comments")) continue;
      auto product = products_.find(get_u32(entry.key().data()));
      auto comment = read_comment(db_.comments, entry);
      if (!comment || product == products_.end() || comment->product != product->second.name) {
        report(fmt::format("comment {} is damaged", id_at_end(entry.key()).text()));
        continue;
      }
      auto values = bitmap_index::values_of(db_.index.hash_key, facets_.indexed, *comment,
                                            facets_.passed(entry.key()));
      index.expect(product->first, comment->id, values);
      check_comment(*comment, product->second);
      expect_customer(*comment);
    }
    for (const auto& [product, what] : index.finish()) {
      auto known = products_.find(product);
      report(
          fmt::format("product {}: {}", known == products_.end() ? "?" : known->second.name, what));
    }
    if (index.differences() > index.max_differences)
      verified_.differences += index.differences() - index.max_differences;
  }

  void check_comment(const Comment& comment, Product& product) {
    auto id = found(db_.ids, comment.id.view());
    if (!id || id->size() != 4 || get_u32(id->data()) != product.row.number)
      report(fmt::format("comment {} cannot be found by its id", comment.id.text()));
    ++product.recounted.count(cell(comment.language, comment.rating));
  }

  void check_ids() {
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.ids)) {
      if (!sized(entry, Ulid::size, "ids")) continue;
      Ulid id = id_at_end(entry.key());
      auto product = value(db_.ids, entry);
      bool whole = product && product->size() == 4;
      if (!whole || !txn_->find(db_.comments.dbi, comment_key(get_u32(product->data()), id))) {
        report(fmt::format("id {} is damaged, or names a comment that is not there", id.text()));
      }
    }
  }

  bool is_published(std::string_view id) const { return txn_->find(db_.ids.dbi, id).has_value(); }
  bool exists(std::string_view id) const {
    return is_published(id) || txn_->find(db_.pending.dbi, id) || txn_->find(db_.rejected.dbi, id);
  }

  void check_held(CommentStatus status) {
    const auto& database = held_in(db_, status);
    for (const auto& entry : lmdb::Entries(txn_->get(), database)) {
      ++verified_.comments;
      auto comment = read_held(database, entry, status);
      if (!comment)
        report(fmt::format("comment {} of {} is damaged", shown(entry.key()), database.name));
      else if (is_published(entry.key()) ||
               (status == CommentStatus::pending && txn_->find(db_.rejected.dbi, entry.key())))
        report(fmt::format("comment {} has two statuses", comment->id.text()));
      if (comment) expect_customer(*comment);
    }
  }

  void expect_customer(const Comment& comment) {
    if (!comment.customer) return;
    ++of_customers_;
    auto found = [&](std::string_view product) {
      return txn_->find(db_.customers, customer_key(*comment.customer, product, comment.id));
    };
    if (!found("") || !found(comment.product))
      report(fmt::format("comment {} is not among its customer's comments", comment.id.text()));
  }

  std::optional<CustomerHash> customer_of(const Ulid& id) const {
    auto comment = find_comment(*txn_, db_, id);
    return comment ? comment->customer : std::nullopt;
  }

  // Where there are two rows for each comment, and none is missing, none is too many.
  void check_customers() {
    bool differ = txn_->entries(db_.customers) != 2 * of_customers_;
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.customers)) {
      bool whole = entry.key().size() > CustomerHash::size + Ulid::size && entry.value().empty();
      auto owner = whole && differ ? customer_of(id_at_end(entry.key())) : std::nullopt;
      if (!whole || (differ && (!owner || !entry.key().starts_with(owner->view()))))
        report("a customer has a comment that is gone, or another customer's");
    }
  }

  void check_tickets() {
    std::size_t rows = 0;
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.tickets)) {
      ++rows;
      auto row = decode_ticket(value(db_.tickets, entry).value_or(""));
      if (!row || entry.key().size() != Key<48>::size)
        report("a used ticket is damaged");
      else if (!txn_->find(db_.tickets_by_end, by_time_key(row->ends_ms, entry.key())))
        report("a used ticket cannot be found by its end");
    }
    if (txn_->entries(db_.tickets_by_end) != rows)
      report("there are ends of tickets that are gone");
  }

  void check_facts() {
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.facts)) {
      auto row = value(db_.facts, entry);
      if (!row || !decode_facts(*row))
        report(fmt::format("the facts of product {} are damaged", entry.key()));
      else if (!txn_->find(db_.products.dbi, entry.key()))
        report(fmt::format("product {} has facts, and no row", entry.key()));
    }
  }

  void check_removed() {
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.removed)) {
      if (value(db_.removed, entry) != "" || entry.key().size() != Ulid::size)
        report("the id of a comment that was removed is damaged");
    }
  }

  static std::string shown(std::string_view id) {
    return id.size() == Ulid::size ? id_at_end(id).text() : fmt::format("of {} bytes", id.size());
  }

  void check_decisions() {
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.moderation)) {
      auto row = value(db_.moderation, entry);
      if (!row || !is_moderation(*row))
        report(fmt::format("the decision on comment {} is damaged", shown(entry.key())));
      else if (!is_published(entry.key()))
        report(fmt::format("comment {} is decided on, and not published", shown(entry.key())));
    }
  }

  void check_reports() {
    std::set<std::string> reported;
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.reports)) {
      auto row = value(db_.reports, entry);
      auto id = entry.key().substr(0, Ulid::size);
      if (!row || !is_report(entry.key(), *row))
        report(fmt::format("a report on comment {} is damaged", shown(id)));
      else if (!exists(id))
        report(fmt::format("comment {} is gone, and a report on it is not", shown(id)));
      reported.emplace(id);
    }
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.reported)) {
      if (!empty(entry, "reported") || !reported.contains(std::string(entry.key())) ||
          !is_published(entry.key()))
        report(
            fmt::format("comment {} is among the reported ones, and has no report or is not "
                        "published",
                        shown(entry.key())));
    }
  }

  void check_counts() {
    for (const auto& [number, product] : products_) {
      ProductRow right = product.recounted;
      right.number = number;
      right.generation = product.row.generation;
      if (encode_product(right) == encode_product(product.row)) continue;
      report(
          fmt::format("product {} counts {} comments, and has {}, or counts them wrongly by "
                      "language and rating",
                      product.name, total(product.row.ratings()), total(right.ratings())));
    }
  }

  void check_leaders() {
    std::set<std::string> expected;
    for (const auto& [number, product] : products_) {
      for (auto kind : {LeaderKind::five_star, LeaderKind::average}) {
        auto add = [&](FacetValue language, const RatingCounts& counts) {
          if (auto key = leader_key(kind, language, product.name, counts))
            expected.insert(std::move(*key));
        };
        add(any, product.recounted.ratings());
        for (const auto& row : product.recounted.languages) add(row.language, row.comments);
      }
    }
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.leaders)) {
      if (!empty(entry, "leaders") || expected.erase(std::string(entry.key())) == 0)
        report("the leaderboard has an entry that no product's counts give");
    }
    for (const auto& key : expected)
      report(fmt::format("the leaderboard lacks product {}", leader_product(key)));
  }

  void check_next_product() {
    auto next = found(db_.meta, "next_product");
    bool right = next && next->size() == 4;
    for (auto at = products_.begin(); right && at != products_.end(); ++at)
      right = at->first < get_u32(next->data());
    if (!right) report("the next product number is one that is in use");
  }

  // Each request key must have one entry by its time and one by its comment; no other entries may
  // exist.
  void check_requests() {
    std::size_t rows = 0;
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.once)) {
      ++rows;
      auto bytes = value(db_.once, entry);
      if (!bytes || bytes->size() < encode_once({}).size() || entry.key().size() != 16) {
        report("a request key's row is damaged");
        continue;
      }
      OnceRow row = decode_once(*bytes);
      auto by_time = txn_->find(db_.once_by_time, by_time_key(row.time_ms, entry.key()));
      if (!by_time || !by_time->empty()) report("a request key cannot be found by its time");
      if (found(db_.once_by_id, row.id.view()) != entry.key())
        report("a request key cannot be found by its comment");
      if (!exists(row.id.view()))
        report(fmt::format("comment {} is gone, and its request key is not", row.id.text()));
    }
    for (MDB_dbi dbi : {db_.once_by_time, db_.once_by_id.dbi}) {
      if (txn_->entries(dbi) != rows) report("there are entries of request keys that are gone");
    }
  }

  void check_set_aside() {
    for (const auto& entry : lmdb::Entries(txn_->get(), db_.damaged)) {
      if (!value(db_.damaged, entry)) report("a row that was set aside is damaged");
    }
  }

  const Databases& db_;
  lmdb::DataFile file_;
  std::optional<lmdb::ReadTransaction> txn_;
  std::optional<lmdb::Meta> state_;  // the state that the transaction sees
  Verified verified_;
  StoredSchema facets_;
  std::uint64_t of_customers_ = 0;  // comments
  std::unordered_map<ProductNumber, Product> products_;
};

}  // namespace

Verified verify(const Databases& databases) {
  return Verifier(databases).run();
}

}  // namespace quire::embedded
