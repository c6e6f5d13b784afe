#include "bitmap_index/reading/reader.h"

#include <algorithm>
#include <cstring>

#include "base/ensure.h"
#include "bitmap_index/level_counts.h"
#include "bitmap_index/reading/asked_words.h"
#include "bitmap_index/reading/levels.h"

namespace quire::bitmap_index {

Reader::Reader(const lmdb::Transaction& txn, const Databases& databases, Product product,
               const word_index::Databases* words)
    : txn_(&txn), db_(databases), product_(product), words_(words) {}

AskedWords& Reader::asked(const std::vector<std::string>& plain_words) {
  QUIRE_ENSURE(words_);
  if (!asked_) asked_ = std::make_shared<AskedWords>(*words_, *txn_, product_, plain_words);
  return *asked_;
}

// The last row of every_id is that of the highest level. It counts the whole product.
const Reader::Top& Reader::top() {
  if (top_) return *top_;
  lmdb::Cursor cursor(*txn_, db_.counts);
  bool there = cursor.seek(count_key(product_, every_id, 1, 0, {}), MDB_SET_RANGE);
  there = cursor.move(there ? MDB_PREV : MDB_LAST);
  auto prefix = count_key(product_, every_id, 0, 0, {});
  std::string_view wanted(prefix.bytes.data(), code_prefix);
  if (!there || !cursor.key().starts_with(wanted)) return top_.emplace(Top{0, 0});
  if (cursor.key().size() != prefix.size) contradict("a key has another size");
  if (start_of(cursor.key()) != Ulid{}) contradict("the highest level has several groups");
  return top_.emplace(Top{level_in(cursor.key()), count_at(db_, cursor)});
}

std::uint64_t Reader::length(FacetNumber facet, Code code) {
  if (facet == every_id) return length();
  if (height() > 0) {
    auto key = count_key(product_, facet, code, height(), {});
    auto count = txn_->find(db_.counts, key);
    if (!count) lmdb::check_missing(*txn_, db_.counts, key);
    return count ? decode_count(count) : 0;
  }
  auto row = this->row(facet, {});
  if (!row) return 0;
  auto entry = row->find(code);
  return entry < row->entries() ? row->count(entry) : 0;
}

std::optional<Ulid> Reader::nth(FacetNumber facet, Code code, std::uint64_t n) {
  auto spot = Levels(*this, {facet, {code}}).locate(n);
  if (!spot) return {};
  auto position = static_cast<std::size_t>(spot->index);
  if (facet == every_id) return BlockIds(*this, spot->start).at(position);
  auto row = this->row(facet, spot->start);
  if (!row || row->find(code) == row->entries()) contradict("a block lacks a value");
  return BlockIds(*this, spot->start).at(row->select(row->find(code), position));
}

std::uint64_t Reader::rank(FacetNumber facet, Code code, const Ulid& id) {
  auto block = block_of(id);
  if (block.ids == 0) return 0;
  auto before = Levels(*this, {facet, {code}}).before(block.start);
  auto row = facet == every_id ? std::nullopt : this->row(facet, block.start);
  auto entry = row ? row->find(code) : 0;
  if (facet != every_id && (!row || entry == row->entries())) return before;
  auto position = BlockIds(*this, block.start).lower_bound(id, block.ids);
  return before + (row ? row->rank(entry, position) : position);
}

std::vector<ValueCount> Reader::values(FacetNumber facet, Code low, Code high, std::size_t limit) {
  std::vector<ValueCount> values;
  if (height() == 0) {
    auto row = length() > 0 ? this->row(facet, {}) : std::nullopt;
    auto entry = row ? row->lower_bound(low) : 0;
    for (; row && entry < row->entries() && row->code(entry) <= high; ++entry) {
      if (values.size() == limit) break;
      values.push_back({row->code(entry), row->count(entry)});
    }
    return values;
  }
  auto prefix = count_key(product_, facet, 0, 0, {});
  std::string_view wanted(prefix.bytes.data(), facet_prefix);
  lmdb::Cursor cursor(*txn_, db_.counts);
  bool there = cursor.seek(count_key(product_, facet, low, height(), {}), MDB_SET_RANGE);
  while (there && cursor.key().starts_with(wanted) && values.size() < limit) {
    if (cursor.key().size() != prefix.size) contradict("a key has another size");
    auto code = code_of(cursor.key());
    if (code > high) break;
    if (level_in(cursor.key()) == height()) {  // the last row of its code
      values.push_back({code, count_at(db_, cursor)});
      there = cursor.move(MDB_NEXT);
    } else {
      auto key = count_key(product_, facet, code, height(), {});
      there = cursor.seek(key, MDB_SET_RANGE);
      if (!there || cursor.key() != std::string_view(key)) contradict("a value has no total");
    }
  }
  return values;
}

std::optional<std::string> Reader::text(FacetNumber facet, Code code) {
  auto text = txn_->find(db_.texts, text_key(facet, code));
  if (!text) return {};
  return std::string(*text);
}

std::vector<Block> Reader::blocks() {
  std::vector<Block> blocks;
  std::uint64_t ids = 0;
  auto rows = counts(every_id, 0, 0);
  for (rows.seek({}); rows.there(); rows.next()) {
    blocks.push_back({rows.start(), checked_block_size(rows.count())});
    ids += blocks.back().ids;
  }
  if (ids != length()) contradict("the blocks have another number of ids than the product");
  return blocks;
}

Block Reader::block_of(const Ulid& id) {
  auto rows = counts(every_id, 0, 0);
  rows.seek_back(id);
  if (!rows.there()) return {{}, 0};
  return {rows.start(), checked_block_size(rows.count())};
}

Block Reader::block(const Ulid& start) {
  auto count = txn_->find(db_.counts, count_key(product_, every_id, 0, 0, start));
  return {start, count ? checked_block_size(decode_count(count)) : 0};
}

std::optional<BlockRow> Reader::row(FacetNumber facet, const Ulid& start) {
  auto key = block_key(product_, facet, start);
  auto bytes = txn_->find(db_.blocks, key);
  if (bytes) return BlockRow(*bytes);
  lmdb::check_missing(*txn_, db_.blocks, key);
  return {};
}

std::optional<std::string_view> Reader::sealed_row(FacetNumber facet, const Ulid& start) {
  return txn_->find(db_.blocks.dbi, block_key(product_, facet, start));
}

bool Reader::has(const Ulid& id) {
  return lmdb::Cursor(*txn_, db_.ids).seek(ids_key(product_), id.view(), MDB_GET_BOTH);
}

BlockIds::BlockIds(Reader& reader, const Ulid& start)
    : cursor_(reader.txn(), reader.databases().ids) {
  if (!cursor_.seek(ids_key(reader.product()), start.view(), MDB_GET_BOTH_RANGE))
    contradict("a block has no ids");
  const char* first = cursor_.value().data();
  // Gives the whole page, from its beginning. Nothing changes where the product has a single id.
  cursor_.move(MDB_GET_MULTIPLE);
  read_page();
  if (first < page_.data() || first >= page_.data() + page_.size())
    contradict("an id is on another page");
  before_ = static_cast<std::size_t>(first - page_.data()) / Ulid::size;
}

void BlockIds::read_page() {
  page_ = cursor_.value();
  if (page_.empty() || page_.size() % Ulid::size != 0) contradict("an id has another size");
}

bool BlockIds::next_page() {
  if (!cursor_.move(MDB_NEXT_MULTIPLE)) return false;
  passed_ += page_.size() / Ulid::size - before_;
  before_ = 0;
  read_page();
  return true;
}

Ulid BlockIds::in_page(std::size_t index) const {
  Ulid id;
  std::memcpy(id.bytes.data(), page_.data() + index * Ulid::size, Ulid::size);
  return id;
}

Ulid BlockIds::at(std::size_t position) {
  while (position - passed_ + before_ >= page_.size() / Ulid::size) {
    if (!next_page()) contradict("a block has fewer ids than its count");
  }
  return in_page(position - passed_ + before_);
}

std::size_t BlockIds::lower_bound(const Ulid& id, std::size_t ids) {
  std::size_t in_page = page_.size() / Ulid::size;
  while (this->in_page(in_page - 1) < id && passed_ + in_page - before_ < ids) {
    if (!next_page()) contradict("a block has fewer ids than its count");
    in_page = page_.size() / Ulid::size;
  }
  auto below = count_below(in_page - before_,
                           [&](std::size_t i) { return this->in_page(before_ + i) < id; });
  return std::min(passed_ + below, ids);
}

}  // namespace quire::bitmap_index
