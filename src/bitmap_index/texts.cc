#include "bitmap_index/texts.h"

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

}  // namespace quire::bitmap_index
