#include "store/embedded/edit.h"

#include <algorithm>
#include <stdexcept>

#include "lmdb/ranked_set.h"
#include "model/document.h"
#include "model/index.h"
#include "model/patch.h"
#include "store/embedded/find.h"

namespace quire::embedded {
namespace {

Error no_such_comment() {
  return {ErrorCode::not_found, "There is no comment with this id; it may have been deleted."};
}

Cell cell_of(const Comment& comment) {
  return cell(comment.language, comment.rating);
}

}  // namespace

std::array<std::uint32_t, indexes.size()> lists_of(const ProductRow& product, const Cell& cell) {
  std::array<std::uint32_t, indexes.size()> numbers;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    numbers[i] = product.list_number(list_of(indexes[i], cell)).value();
  }
  return numbers;
}

Result<std::string> Edit::insert(const Comment& comment, const std::optional<RequestKey>& once) {
  if (once) {
    forget_expired(once->now_ms);
    if (auto answer = first_answer(*once)) return std::move(*answer);
  }
  if (txn_.find(db_.ids, comment.id.view())) {
    return Error{ErrorCode::unavailable, "The id drawn for this comment is taken. Try again."};
  }
  ProductRow before = product(comment.product), row = before;
  ++language(row, cell_of(comment)[language_facet]).comments[comment.rating - 1];
  std::string document = encode_document(comment);
  std::string block(4, '\0');
  put_u32(block.data(), row.block);
  txn_.put(db_.ids, comment.id.view(), block);
  txn_.put(db_.comments, comment_key(row.block, comment.id), document);
  move(row, comment.id, {}, cell_of(comment));
  put_product(comment.product, before, row);
  if (once) remember(*once, comment.id, document);
  return document;
}

Result<Edited> Edit::update(const Ulid& id, const Patch& patch, const Condition& condition) {
  auto found = find(id, condition);
  if (!found) return found.error();
  Comment changed = patched(found->comment, patch);
  if (changed == found->comment) return Edited{found->document, found->document};
  Edited edited{std::move(found->document), encode_document(changed)};
  txn_.put(db_.comments, comment_key(found->product, id), edited.after);
  if (cell_of(changed) == cell_of(found->comment)) return edited;

  ProductRow before = product(changed.product), row = before;
  --language(row, cell_of(found->comment)[language_facet]).comments[found->comment.rating - 1];
  ++language(row, cell_of(changed)[language_facet]).comments[changed.rating - 1];
  move(row, id, cell_of(found->comment), cell_of(changed));
  put_product(changed.product, before, row);
  return edited;
}

Result<std::string> Edit::remove(const Ulid& id, const Condition& condition) {
  auto found = find(id, condition);
  if (!found) return found.error();
  const Comment& comment = found->comment;
  ProductRow before = product(comment.product), row = before;
  move(row, id, cell_of(comment), {});
  --language(row, cell_of(comment)[language_facet]).comments[comment.rating - 1];
  txn_.remove(db_.comments, comment_key(found->product, id));
  txn_.remove(db_.ids, id.view());
  forget_request_of(id);
  put_product(comment.product, before, row);
  return std::move(found->document);
}

// Finds a comment. An error: there is none, it is damaged, or the condition refuses it.
Result<Edit::Found> Edit::find(const Ulid& id, const Condition& condition) const {
  auto block = find_block(txn_.get(), db_, id);
  if (!block) return no_such_comment();
  auto document = find_document(txn_.get(), db_, *block, id);
  auto comment = document ? decode_document(*document) : std::nullopt;
  if (!comment) return damaged_comment(id);
  if (auto refused = condition.refuses(*comment, *document)) return std::move(*refused);
  return Found{*block, std::string(*document), std::move(*comment)};
}

ProductRow Edit::product(std::string_view name) {
  if (auto bytes = txn_.find(db_.products, name)) return decode_product(*bytes);
  return {next_block(), {}};
}

LanguageRow& Edit::language(ProductRow& product, FacetValue language) {
  if (auto* row = product.find(language)) return *row;
  auto at = std::upper_bound(product.languages.begin(), product.languages.end(), language,
                             [](FacetValue l, const LanguageRow& row) { return l < row.language; });
  return *product.languages.insert(at, {language, next_block(), {}});
}

Block Edit::next_block() {
  auto kept = txn_.find(db_.meta, "next_block");
  if (!kept || kept->size() != 4)
    throw std::runtime_error("the store's next list number is damaged: run quire verify --repair");
  Block block = get_u32(kept->data());
  if (block > max_block) throw std::runtime_error("the store has no list numbers left");
  std::string next(4, '\0');
  put_u32(next.data(), block + 1);
  txn_.put(db_.meta, "next_block", next);
  return block;
}

void Edit::move(const ProductRow& product, const Ulid& id, const std::optional<Cell>& from,
                const std::optional<Cell>& to) {
  for (const Index& index : indexes) {
    std::optional<std::uint32_t> left, entered;
    if (from) left = product.list_number(list_of(index, *from)).value();
    if (to) entered = product.list_number(list_of(index, *to)).value();
    if (left == entered) continue;
    lmdb::RankedChange erase{id, false}, insert{id, true};
    if (left) lmdb::apply(txn_, db_.lists, *left, {&erase, 1});
    if (entered) lmdb::apply(txn_, db_.lists, *entered, {&insert, 1});
  }
}

void Edit::put_product(const std::string& name, const ProductRow& before, const ProductRow& after) {
  txn_.put(db_.products, name, encode_product(after));
  put_leaders(name, any, before.ratings(), after.ratings());
  for (const auto& row : after.languages) {
    auto* known = before.find(row.language);
    put_leaders(name, row.language, known ? known->comments : RatingCounts{}, row.comments);
  }
}

void Edit::put_leaders(const std::string& name, FacetValue language, const RatingCounts& before,
                       const RatingCounts& after) {
  if (before == after) return;
  for (auto kind : {LeaderKind::five_star, LeaderKind::average}) {
    auto old = leader_key(kind, language, name, before);
    auto now = leader_key(kind, language, name, after);
    if (old == now) continue;
    if (old) txn_.remove(db_.leaders, *old);
    if (now) txn_.put(db_.leaders, *now, {});
  }
}

}  // namespace quire::embedded
