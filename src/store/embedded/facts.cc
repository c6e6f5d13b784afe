// What the shop tells of products. A product that has facts has a row, too: its number, and the
// generation that a change of them ends.
#include "base/try.h"
#include "loop/awaitable.h"
#include "store/embedded/edit.h"
#include "store/embedded/store.h"
#include "store/embedded/view.h"

namespace quire::embedded {

Awaitable<Result<FoundFacts>> LmdbView::facts(std::vector<std::string> products) {
  FoundFacts out;
  for (const auto& product : products) {
    if (turn_is_over()) co_await next_turn();
    auto& facts = out.emplace_back();
    bool there = true;
    try {
      auto bytes = txn_.find(db_.facts.dbi, product);
      auto row = bytes ? lmdb::unsealed(db_.facts.seed, product, *bytes) : std::nullopt;
      if (row) facts = decode_facts(*row);
      there = bytes.has_value();
    } catch (const lmdb::Damaged&) {
    }
    if (!facts && there) leave_out("the facts of product " + product);
  }
  co_return out;
}

// Absent where they are damaged, too.
std::optional<ProductFacts> Edit::facts_of(const std::string& name) const {
  auto bytes = txn_.find(db_.facts.dbi, name);
  auto row = bytes ? lmdb::unsealed(db_.facts.seed, name, *bytes) : std::nullopt;
  return row ? decode_facts(*row) : std::nullopt;
}

Result<std::size_t> Edit::put_facts(const std::vector<NamedFacts>& all,
                                    const FactsCondition& condition) {
  std::size_t fresh = 0;
  for (const auto& [name, facts] : all) {
    if (successor(name)) continue;
    auto present = facts_of(name);
    TRY_DONE(condition.check(name, present));
    if (present == facts) continue;
    fresh += !txn_.find(db_.facts.dbi, name);
    product(name);  // is written by finish()
    txn_.put(db_.facts, name, encode_facts(facts));
  }
  return fresh;
}

Status Edit::remove_facts(const std::string& name, const FactsCondition& condition) {
  TRY_DONE(condition.check(name, facts_of(name)));
  if (!txn_.find(db_.facts.dbi, name))
    return Error{ErrorCode::not_found, "The shop tells nothing of this product."};
  product(name);
  txn_.remove(db_.facts.dbi, name);
  return Done{};
}

// Keeps the facts that can be read, gives their products rows, and sets the others aside.
void Edit::repair_facts(Rebuilt& rebuilt) {
  std::vector<std::string> names;
  for (const auto& entry : lmdb::Entries(txn_, db_.facts)) {
    std::string name(entry.key());
    (facts_of(name) ? names : rebuilt.facts_aside).push_back(std::move(name));
  }
  for (const auto& name : rebuilt.facts_aside) set_aside(db_.facts, name);
  for (const auto& name : names) product(name);
  write_products();
}

Awaitable<Result<std::size_t>> LmdbStore::put_facts(std::vector<NamedFacts> all,
                                                    FactsCondition condition) {
  return write<std::size_t>([all = std::move(all), condition = std::move(condition)](Edit& edit) {
    return edit.put_facts(all, condition);
  });
}

Awaitable<Status> LmdbStore::remove_facts(std::string product, FactsCondition condition) {
  return write<Done>([product = std::move(product), condition = std::move(condition)](Edit& edit) {
    return edit.remove_facts(product, condition);
  });
}

}  // namespace quire::embedded
