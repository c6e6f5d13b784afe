#include "page_index/lmdb/edit.h"

#include <algorithm>
#include <stdexcept>

#include "lmdb/numbers.h"
#include "lmdb/ranked_set.h"
#include "model/index.h"

namespace quire::page_index {

using change::Change;
using change::Mark;
using change::Phase;

std::string_view IndexEdit::meta(std::string_view key) const {
  auto value = txn_.find(db_.meta, key);
  if (!value) throw std::runtime_error("the state is damaged");
  return *value;
}

bool IndexEdit::apply(const change::Step& step) {
  if (!at(step)) return false;
  txn_.put(db_.marks, step.shard, encode_mark(step.after));
  for (const auto& shard : step.forget) txn_.remove(db_.marks, shard);
  put(step.changes);
  return true;
}

// Whether the epoch and the mark of the index are those before the step.
bool IndexEdit::at(const change::Step& step) const {
  if (meta("epoch") != step.epoch) return false;
  auto row = txn_.find(db_.marks, step.shard);
  if (!row || !step.before) return !row && !step.before;
  Mark mark = decode_mark(*row);
  return mark.read_to == step.before->read_to && mark.ended == step.before->ended;
}

void IndexEdit::reset(const change::State& state) {
  for (auto dbi : {db_.marks, db_.products, db_.lists}) txn_.clear(dbi);
  txn_.put(db_.meta, "next_block", encode_number(0));
  txn_.put(db_.meta, "phase", encode_phase(state.phase));
  txn_.put(db_.meta, "epoch", state.epoch);
  txn_.put(db_.meta, "stream", state.stream);
  for (const auto& [shard, mark] : state.marks) txn_.put(db_.marks, shard, encode_mark(mark));
}

bool IndexEdit::turn(std::string_view epoch, Phase from, Phase to) {
  if (meta("epoch") != epoch || decode_phase(meta("phase")) != from) return false;
  txn_.put(db_.meta, "phase", encode_phase(to));
  return true;
}

// Of several changes of one comment, the last one decides for each list.
void IndexEdit::put(const std::vector<Change>& changes) {
  std::map<std::string_view, Members> products;
  for (const Change& change : changes) {
    auto& members = products[change.product];
    for (const auto& index : indexes) {
      if (change.from) members[list_of(index, *change.from)][change.id] = false;
      if (change.to) members[list_of(index, *change.to)][change.id] = true;
    }
  }
  for (const auto& [product, members] : products) put(product, members);
}

void IndexEdit::put(std::string_view product, const Members& members) {
  auto bytes = txn_.find(db_.products, product);
  std::optional<ProductLists> row;
  if (bytes) row = decode_product(*bytes);
  const auto before = row;
  bool erases = false;
  for (const auto& [list, ids] : members) {
    auto gone = std::count_if(ids.begin(), ids.end(), [](const auto& id) { return !id.second; });
    erases = erases || gone > 0;
    auto number = row ? row->list_number(list) : std::nullopt;
    if (!number && static_cast<std::size_t>(gone) == ids.size()) continue;
    put_list(number ? *number : give_number(row, list), ids);
  }
  if (erases) drop_empty(row);
  if (row && row != before) txn_.put(db_.products, product, encode_product(*row));
  if (!row && before) txn_.remove(db_.products, product);
}

// Leaves out changes that are already applied, because the same changes may come again.
void IndexEdit::put_list(lmdb::List list, const std::map<Ulid, bool>& ids) {
  std::vector<lmdb::RankedChange> changes;
  for (const auto& [id, member] : ids) {
    if (txn_.find(db_.lists, lmdb::RankedKey(list, 0, id)).has_value() != member)
      changes.push_back({id, member});
  }
  lmdb::apply(txn_, db_.lists, list, changes);
}

lmdb::List IndexEdit::give_number(std::optional<ProductLists>& row, const Cell& list) {
  if (!row) row = ProductLists{next_block()};
  if (auto number = row->list_number(list)) return *number;
  auto behind = std::find_if(row->languages.begin(), row->languages.end(), [&](const auto& each) {
    return each.language > list[language_facet];
  });
  row->languages.insert(behind, {list[language_facet], next_block()});
  return row->list_number(list).value();
}

Block IndexEdit::next_block() {
  Block block = decode_number(meta("next_block"));
  if (block > max_block) throw std::runtime_error("there are no list numbers left");
  txn_.put(db_.meta, "next_block", encode_number(block + 1));
  return block;
}

// A product without comments has no row, and a language without comments has no entry in it.
void IndexEdit::drop_empty(std::optional<ProductLists>& row) {
  if (!row) return;
  std::erase_if(row->languages, [&](const auto& each) { return !has_members(each.block); });
  if (row->languages.empty() && !has_members(row->block)) row.reset();
}

bool IndexEdit::has_members(Block block) {
  lmdb::Cursor cursor(txn_.get(), db_.lists);
  if (!cursor.seek(lmdb::RankedKey(block << 3, 0), MDB_SET_RANGE)) return false;
  return cursor.key().size() >= 4 && lmdb::get_u32(cursor.key().data()) >> 3 == block;
}

}  // namespace quire::page_index
