// What the shop tells of products. A product that has facts has a row, too: its number, and the
// generation that a change of them ends.
#include "loop/turn.h"
#include "store/embedded/edit.h"
#include "store/embedded/store.h"
#include "store/embedded/view.h"

namespace quire::embedded {

Awaitable<Result<std::vector<std::optional<ProductFacts>>>> LmdbView::facts(
    std::vector<std::string> products) {
  std::vector<std::optional<ProductFacts>> out;
  for (const auto& product : products) {
    if (turn_is_over()) co_await next_turn();
    auto& facts = out.emplace_back();
    std::optional<std::string_view> bytes;
    try {
      bytes = txn_.find(db_.facts.dbi, product);
    } catch (const lmdb::Damaged&) {
      db_.damage.meet("the facts of product " + product);
    }
    if (!bytes) continue;
    auto row = lmdb::unsealed(db_.facts.seed, product, *bytes);
    if (row) facts = decode_facts(*row);
    if (!facts) db_.damage.meet("the facts of product " + product);
  }
  co_return out;
}

Result<std::size_t> Edit::put_facts(const std::vector<NamedFacts>& all) {
  std::size_t fresh = 0;
  for (const auto& [name, facts] : all) {
    fresh += !txn_.find(db_.facts.dbi, name);
    product(name);  // is written by finish()
    txn_.put(db_.facts, name, encode_facts(facts));
  }
  return fresh;
}

Status Edit::remove_facts(const std::string& name) {
  if (!txn_.find(db_.facts.dbi, name))
    return Error{ErrorCode::not_found, "The shop tells nothing of this product."};
  product(name);
  txn_.remove(db_.facts.dbi, name);
  return Done{};
}

// Keeps the facts that can be read, and gives their products rows.
void Edit::repair_facts() {
  drop_from(db_.facts, [](std::string_view, std::optional<std::string_view> row) {
    return !row || !decode_facts(*row);
  });
  std::vector<std::string> names;
  lmdb::Cursor cursor(txn_, db_.facts);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT))
    names.emplace_back(cursor.key());
  for (const auto& name : names) product(name);
  write_products();
}

Awaitable<Result<std::size_t>> LmdbStore::put_facts(std::vector<NamedFacts> all) {
  return write<std::size_t>([all = std::move(all)](Edit& edit) { return edit.put_facts(all); });
}

Awaitable<Status> LmdbStore::remove_facts(std::string product) {
  return write<Done>(
      [product = std::move(product)](Edit& edit) { return edit.remove_facts(product); });
}

}  // namespace quire::embedded
