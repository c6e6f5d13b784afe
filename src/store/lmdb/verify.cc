#include "store/lmdb/verify.h"

#include <fmt/format.h>

#include <unordered_map>

#include "model/document.h"
#include "model/index.h"
#include "store/lmdb/edit.h"

namespace quire::embedded {
namespace {

struct Product {
  std::string name;
  ProductRow row;
  ProductRow recounted;  // the same lists, counts from zero
};

struct ListName {
  Product* product;
  Cell list;
};

class Verifier {
 public:
  explicit Verifier(const Databases& databases) : db_(databases), txn_(*databases.environment) {}

  Verified run() {
    read_products();
    check_comments();
    check_ids();
    check_lists();
    check_counts();
    return std::move(verified_);
  }

 private:
  static constexpr std::size_t most_reports = 1000;

  void report(std::string what) {
    if (++verified_.differences <= most_reports) verified_.reports.push_back(std::move(what));
  }

  void read_products() {
    lmdb::Cursor cursor(txn_.get(), db_.products);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      Product product{std::string(cursor.key()), decode_product(cursor.value()), {}};
      product.recounted = product.row;
      for (auto& language : product.recounted.languages) language.comments = {};
      products_.emplace(product.row.block, std::move(product));
    }
    for (auto& [block, product] : products_) {
      name_block(block, product, any);
      for (const auto& row : product.row.languages) name_block(row.block, product, row.language);
    }
  }

  void name_block(Block block, Product& product, FacetValue language) {
    for (FacetValue rating = 0; rating <= 5; ++rating) {
      auto [at, fresh] =
          lists_.emplace(block << 3 | rating, ListName{&product, {language, rating}});
      if (!fresh) report(fmt::format("list number {} is used twice", at->first));
    }
  }

  void check_comments() {
    lmdb::Cursor cursor(txn_.get(), db_.comments);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      ++verified_.comments;
      Ulid id = id_at_end(cursor.key());
      auto product = products_.find(get_u32(cursor.key().data()));
      auto comment = decode_document(cursor.value());
      if (product == products_.end() || !comment || comment->id != id ||
          comment->product != product->second.name) {
        report(fmt::format("comment {} is damaged", id.text()));
        continue;
      }
      check_comment(*comment, product->second);
    }
  }

  void check_comment(const Comment& comment, Product& product) {
    auto id = txn_.find(db_.ids, comment.id.view());
    if (!id || get_u32(id->data()) != product.row.block) {
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
      if (!txn_.find(db_.lists, entry_key(product.row.list_number(list).value(), comment.id))) {
        report(fmt::format("comment {} is missing from {}", comment.id.text(),
                           list_key(product.name, list)));
      }
    }
  }

  void check_ids() {
    lmdb::Cursor cursor(txn_.get(), db_.ids);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      Ulid id = id_at_end(cursor.key());
      if (!txn_.find(db_.comments, comment_key(get_u32(cursor.value().data()), id))) {
        report(fmt::format("id {} names a comment that is not there", id.text()));
      }
    }
  }

  void check_lists() {
    lmdb::Cursor cursor(txn_.get(), db_.lists);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      Ulid id = id_at_end(cursor.key());
      auto list = lists_.find(get_u32(cursor.key().data()));
      if (list == lists_.end()) {
        report(fmt::format("an entry of comment {} belongs to no known list", id.text()));
        continue;
      }
      auto [product, name] = list->second;
      auto document = txn_.find(db_.comments, comment_key(product->row.block, id));
      if (!document || !covers(name, document_cell(*document))) {
        report(fmt::format("{} holds {}, which does not belong there",
                           list_key(product->name, name), id.text()));
      }
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
  lmdb::ReadTransaction txn_;
  Verified verified_;
  std::unordered_map<Block, Product> products_;
  std::unordered_map<std::uint32_t, ListName> lists_;
};

}  // namespace

Verified verify(const Databases& databases) {
  return Verifier(databases).run();
}

}  // namespace quire::embedded
