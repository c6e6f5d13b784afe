#include "bitmap_index/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace quire::bitmap_index {
namespace {

constexpr std::size_t kept_texts = 4096;
constexpr std::size_t max_level = 64;  // of an id, by its hash of 64 bits

Product product_of(std::string_view key) {
  return key.size() < sizeof(Product) ? 0 : lmdb::get_u32(key.data());
}

Ulid id_in(std::string_view value) {
  Ulid id;
  std::copy_n(value.begin(), std::min(value.size(), Ulid::size), id.bytes.begin());
  return id;
}

}  // namespace

Verification::Verification(const lmdb::Transaction& txn, const Databases& databases,
                           std::span<const FacetNumber> ignored)
    : txn_(txn),
      db_(databases),
      ignored_(ignored),
      ids_(txn, databases.ids),
      more_ids_(ids_.move(MDB_FIRST)),
      texts_(kept_texts, {every_id, 0}) {}

Verification::Verification(const lmdb::Transaction& txn, const Databases& databases,
                           Product product)
    : Verification(txn, databases) {
  one_ = true;
  more_ids_ = ids_.seek(ids_key(product), MDB_SET_RANGE);
  begin_product(product);
}

void Verification::report(Product product, std::string what) {
  if (++found_ <= max_differences) differences_.push_back({product, std::move(what)});
}

void Verification::expect(Product product, const Ulid& id, std::span<const Value> values) {
  if (!any_ || product != product_) {
    end_product();
    begin_product(product);
  }
  expect_id(product, id);
  int level = start_level(db_, id);
  top_ = std::max(top_, level);
  if (level > 0) {
    end_block();
    block_ = id;
  }
  for (std::size_t at = 1; at < static_cast<std::size_t>(level); ++at) {
    end_group(at);
    levels_[at].start = id;
  }
  for (const auto& value : values) {
    if (contains(ignored_, value.facet)) continue;
    check_text(value);
    expected_.push_back({value.facet, value.code, block_ids_, value});
  }
  ++block_ids_;
}

std::vector<Difference> Verification::finish() {
  end_product();
  Ulid none;
  if (one_) report_other_ids(product_ + 1, &none);
  if (!one_) report_other_ids(0, nullptr);
  if (!one_) check_gap(any_ ? product_ + 1 : 0, 0);
  if (!one_) check_texts();
  return std::move(differences_);
}

// Ids of the index that should not be there lie before the one that should.
void Verification::expect_id(Product product, const Ulid& id) {
  report_other_ids(product, &id);
  if (more_ids_ && product_of(ids_.key()) == product && ids_.value() == id.view()) {
    more_ids_ = ids_.move(MDB_NEXT);
    return;
  }
  report(product, fmt::format("The index lacks {}.", id.text()));
}

// Reports the ids before this one; null: all that are left.
void Verification::report_other_ids(Product product, const Ulid* before) {
  for (; more_ids_; more_ids_ = ids_.move(MDB_NEXT)) {
    auto at = product_of(ids_.key());
    if (before && (at > product || (at == product && ids_.value() >= before->view()))) return;
    report(at, fmt::format("The index has {}, which is no comment of the product.",
                           id_in(ids_.value()).text()));
  }
}

void Verification::begin_product(Product product) {
  if (Product next = any_ ? product_ + 1 : 0; !one_ && next < product) check_gap(next, product);
  any_ = true;
  product_ = product;
  top_ = 0;
  block_ = {};
  levels_.assign(max_level + 2, {});
  rows_ = {};
}

void Verification::end_product() {
  if (!any_) return;
  end_block();
  for (int level = 1; level <= top_; ++level) end_group(static_cast<std::size_t>(level));
  auto blocks = rows(db_.blocks, Key<22>::size), counts = rows(db_.counts, Key<31>::size);
  if (blocks != rows_.blocks)
    report(product_, fmt::format("The index has {} rows of blocks where {} should be.", blocks,
                                 rows_.blocks));
  if (counts != rows_.counts)
    report(product_, fmt::format("The index has {} rows of counts where {} should be.", counts,
                                 rows_.counts));
}

// The rows of the product, other than those of ignored facets.
std::uint64_t Verification::rows(MDB_dbi database, std::size_t key_size) const {
  std::string first(key_size, '\0');
  lmdb::put_u32(first.data(), product_);
  std::uint64_t count = 0;
  lmdb::Cursor cursor(txn_, database);
  bool there = cursor.seek(first, MDB_SET_RANGE);
  for (; there && product_of(cursor.key()) == product_; there = cursor.move(MDB_NEXT))
    count += cursor.key().size() != key_size || !contains(ignored_, facet_of(cursor.key()));
  return count;
}

// No rows are of products from `from` to below `to`. `to` 0: to the last.
void Verification::check_gap(Product from, Product to) {
  check_gap(db_.blocks, Key<22>::size, from, to);
  check_gap(db_.counts, Key<31>::size, from, to);
}

void Verification::check_gap(MDB_dbi database, std::size_t key_size, Product from, Product to) {
  if (any_ && from == 0) return;  // the last product was the greatest number
  std::string key(key_size, '\0');
  lmdb::put_u32(key.data(), from);
  lmdb::Cursor cursor(txn_, database);
  for (bool there = cursor.seek(key, MDB_SET_RANGE); there; there = cursor.move(MDB_NEXT)) {
    auto product = product_of(cursor.key());
    if (to != 0 && product >= to) return;
    if (cursor.key().size() == key_size && contains(ignored_, facet_of(cursor.key()))) continue;
    report(product, "The index has rows of a product without comments.");
    if (found_ > max_differences) return;
  }
}

void Verification::end_block() {
  if (block_ids_ == 0) return;
  check_count(every_id, 0, 0, block_, block_ids_);
  levels_[1].sums[{every_id, 0}] += block_ids_;
  std::sort(expected_.begin(), expected_.end(), [](const Expected& a, const Expected& b) {
    return std::tie(a.facet, a.code, a.position) < std::tie(b.facet, b.code, b.position);
  });
  std::vector<Add> adds;
  for (auto i = expected_.begin(); i != expected_.end();) {
    adds.clear();
    auto facet = i->facet;
    for (; i != expected_.end() && i->facet == facet; ++i) {
      adds.push_back({i->code, i->position, &i->value});
      ++levels_[1].sums[{facet, i->code}];
    }
    check_row(facet, adds);
  }
  expected_.clear();
  block_ids_ = 0;
}

void Verification::check_row(FacetNumber facet, std::span<const Add> adds) {
  auto row = builder_.build(block_ids_, {}, {}, adds);
  ++rows_.blocks;
  try {
    auto there = txn_.find(db_.blocks, block_key(product_, facet, block_));
    if (there == std::string_view(row.data(), row.size() - lmdb::seal_size)) return;
    report(product_, fmt::format("Facet {} of the block from {} {}.", facet, block_.text(),
                                 there ? "is not what the comments say" : "is missing"));
  } catch (const lmdb::Damaged&) {
    report(product_,
           fmt::format("Facet {} of the block from {} is damaged.", facet, block_.text()));
  }
}

void Verification::end_group(std::size_t level) {
  auto& [start, sums] = levels_[level];
  for (const auto& [value, ids] : sums) {
    check_count(value.first, value.second, level, start, ids);
    levels_[level + 1].sums[value] += ids;
  }
  sums.clear();
}

void Verification::check_count(FacetNumber facet, Code code, std::size_t level, const Ulid& start,
                               std::uint64_t ids) {
  ++rows_.counts;
  auto key = count_key(product_, facet, code, static_cast<int>(level), start);
  std::string was = "nothing";
  try {
    auto there = txn_.find(db_.counts, key);
    if (there && there->size() == 8) was = fmt::to_string(lmdb::get_u64(there->data()));
    if (was == fmt::to_string(ids)) return;
  } catch (const lmdb::Damaged&) {
    was = "damaged";
  }
  report(product_, fmt::format("The count of value {:x} of facet {} on level {} from {} is {}, and "
                               "should be {}.",
                               code, facet, level, start.text(), was, ids));
}

void Verification::check_text(const Value& value) {
  auto& known = texts_[value.code % texts_.size()];
  std::pair<FacetNumber, Code> key{value.facet, value.code};
  if (value.text.empty() || known == key) return;
  known = key;
  try {
    auto there = txn_.find(db_.texts, text_key(value.facet, value.code));
    if (there == value.text) return;
    report(product_,
           fmt::format("The text of value {:x} of facet {} is not kept.", value.code, value.facet));
  } catch (const lmdb::Damaged&) {
    if (!one_) return;  // check_texts() reports it
    report(product_,
           fmt::format("The text of value {:x} of facet {} is damaged.", value.code, value.facet));
  }
}

// All texts, because one stays when its last comment goes, and a later comment meets it.
void Verification::check_texts() {
  lmdb::Cursor cursor(txn_, db_.texts);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    auto key = cursor.key();
    bool whole = key.size() == Key<10>::size;
    auto facet = whole ? lmdb::get_u16(key.data()) : every_id;
    if (contains(ignored_, facet) || (whole && lmdb::unsealed(db_.texts.seed, key, cursor.value())))
      continue;
    auto code = whole ? lmdb::get_u64(key.data() + 2) : 0;
    report(product_, fmt::format("The text of value {:x} of facet {} is damaged.", code, facet));
  }
}

}  // namespace quire::bitmap_index
