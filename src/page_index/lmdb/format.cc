#include "page_index/lmdb/format.h"

#include <algorithm>

#include "lmdb/numbers.h"
#include "lmdb/sealed.h"

namespace quire::page_index {
namespace {

using lmdb::Damaged;
using lmdb::get_u32;
using lmdb::get_u64;
using lmdb::put_u32;
using lmdb::put_u64;

constexpr std::size_t product_size = 12;    // number, generation
constexpr std::size_t mark_head_size = 9;   // ended, as of
constexpr std::size_t item_head_size = 12;  // time, length of the product
constexpr std::size_t item_place_size = 10;

// The values are part of the format.
constexpr change::Phase phases[] = {change::Phase::empty, change::Phase::building,
                                    change::Phase::following, change::Phase::lost};

}  // namespace

std::string_view meta_row(const lmdb::Transaction& txn, MDB_dbi meta, std::string_view key) {
  auto value = txn.find(meta, key);
  if (!value) throw lmdb::Damaged("the row " + std::string(key) + " is missing");
  return *value;
}

bitmap_index::Product next_product(lmdb::WriteTransaction& txn, MDB_dbi meta) {
  auto number = decode_number(meta_row(txn.get(), meta, "next_product"));
  if (number == UINT32_MAX) throw lmdb::Damaged("there are no numbers of products left");
  txn.put(meta, "next_product", encode_number(number + 1));
  return number;
}

Schema schema_in(std::string_view row) {
  auto schema = decode_schema(row);
  if (!schema) throw lmdb::Damaged("its facets are damaged");
  return std::move(*schema);
}

std::string format_row() {
  return std::string(format_magic) + encode_number(format_version);
}

std::string encode_product(const ProductRow& row) {
  return encode_number(row.number) + encode_long(row.generation);
}

ProductRow decode_product(std::string_view bytes) {
  if (bytes.size() != product_size) throw Damaged("a product's row is damaged");
  return {get_u32(bytes.data()), get_u64(bytes.data() + 4)};
}

std::string_view item_place(const Ulid& id) {
  return id.view().substr(Ulid::size - item_place_size);
}

std::string encode_item(const ItemRow& row) {
  auto size = static_cast<std::uint32_t>(row.product.size());
  return encode_long(row.created_ms) + encode_number(size) + row.product + row.key;
}

ItemRow decode_item(std::string_view bytes) {
  if (bytes.size() < item_head_size) throw Damaged("an item's row is damaged");
  std::size_t size = get_u32(bytes.data() + 8);
  ItemRow row{get_u64(bytes.data()), {}, {}};
  bytes.remove_prefix(item_head_size);
  if (size > bytes.size()) throw Damaged("an item's row is damaged");
  row.product = bytes.substr(0, size);
  row.key = bytes.substr(size);
  return row;
}

std::string encode_mark(const change::Mark& mark) {
  std::string out(mark_head_size, '\0');
  out[0] = mark.ended;
  put_u64(&out[1], mark.as_of_ms);
  return out + mark.read_to;
}

change::Mark decode_mark(std::string_view bytes) {
  if (bytes.size() < mark_head_size || (bytes[0] != 0 && bytes[0] != 1))
    throw Damaged("a mark is damaged");
  return {std::string(bytes.substr(mark_head_size)), bytes[0] == 1, get_u64(&bytes[1])};
}

std::string encode_phase(change::Phase phase) {
  auto at = std::find(std::begin(phases), std::end(phases), phase);
  return std::string(1, static_cast<char>(at - std::begin(phases)));
}

change::Phase decode_phase(std::string_view bytes) {
  std::size_t value = bytes.size() == 1 ? static_cast<unsigned char>(bytes[0]) : std::size(phases);
  if (value >= std::size(phases)) throw Damaged("the phase is damaged");
  return phases[value];
}

std::string encode_number(std::uint32_t number) {
  std::string out(4, '\0');
  put_u32(out.data(), number);
  return out;
}

std::uint32_t decode_number(std::string_view bytes) {
  if (bytes.size() != 4) throw Damaged("a number is damaged");
  return get_u32(bytes.data());
}

std::string encode_long(std::uint64_t number) {
  std::string out(8, '\0');
  put_u64(out.data(), number);
  return out;
}

}  // namespace quire::page_index
