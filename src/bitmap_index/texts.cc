#include "bitmap_index/texts.h"

#include "bitmap_index/block_row.h"
#include "bitmap_index/keys.h"

namespace quire::bitmap_index {

void Texts::keep(const Databases& databases, lmdb::WriteTransaction& txn, const Value& value) {
  if (value.text.empty()) return;
  auto& known = known_[(value.code ^ value.facet) % known_.size()];
  if (known.facet == value.facet && known.code == value.code) return;
  auto key = text_key(value.facet, value.code);
  auto there = txn.find(databases.texts, key);
  if (there && *there != value.text)
    throw lmdb::Damaged("a row of index_texts has the text of another value: run quire verify");
  if (!there) txn.put(databases.texts, key, value.text);
  known = {value.facet, value.code};
}

std::set<std::string, std::less<>> unused_texts(const Databases& databases,
                                                const lmdb::Transaction& txn) try {
  std::set<std::string, std::less<>> unused;
  lmdb::Cursor texts(txn, databases.texts.dbi);
  for (bool there = texts.move(MDB_FIRST); there; there = texts.move(MDB_NEXT))
    unused.emplace(texts.key());
  if (unused.empty()) return unused;
  lmdb::Cursor blocks(txn, databases.blocks.dbi);
  for (bool there = blocks.move(MDB_FIRST); there; there = blocks.move(MDB_NEXT)) {
    auto bytes = lmdb::unsealed(databases.blocks.seed, blocks.key(), blocks.value());
    if (!bytes || blocks.key().size() != Key<22>::size) return {};
    BlockRow row(*bytes);
    auto facet = lmdb::get_u16(blocks.key().data() + product_prefix);
    for (std::size_t entry = 0; entry < row.entries(); ++entry) {
      auto used = unused.find(std::string_view(text_key(facet, row.code(entry))));
      if (used != unused.end()) unused.erase(used);
    }
  }
  return unused;
} catch (const lmdb::Damaged&) {
  return {};
}

}  // namespace quire::bitmap_index
