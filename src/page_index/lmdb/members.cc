#include "page_index/lmdb/members.h"

#include <algorithm>
#include <bit>

#include "bitmap_index/numbers.h"
#include "bitmap_index/reading/ids.h"

namespace quire::page_index {
namespace {

using bitmap_index::Block;
using bitmap_index::BlockRow;
using bitmap_index::Code;
using bitmap_index::Reader;

AttributeValue value_of(Reader& reader, const SchemaFacet& facet, Code code, std::uint64_t rest) {
  switch (facet.facet().type) {
    case FacetType::flag:
      return code != 0;
    case FacetType::number:
      return bitmap_index::decode_number({code, rest});
    case FacetType::choice:
    case FacetType::tags:
      break;
  }
  auto text = reader.text(facet.number, code);
  if (!text) throw lmdb::Damaged("a value has no text");
  return std::move(*text);
}

// Adds the value of a comment; a tag joins the other tags.
void add(IndexedComment& comment, const SchemaFacet& facet, const AttributeValue& value) {
  if (facet.facet().type != FacetType::tags) {
    comment.values.insert_or_assign(facet.number, value);
    return;
  }
  auto& tags = comment.values.try_emplace(facet.number, std::vector<std::string>()).first->second;
  std::get<std::vector<std::string>>(tags).push_back(std::get<std::string>(value));
}

// Adds the values of a facet in one block.
void add_facet(Reader& reader, const SchemaFacet& facet, const BlockRow& row,
               std::vector<IndexedComment>& comments) {
  bitmap_index::Words words(bitmap_index::words_for(row.ids()));
  for (std::size_t entry = 0; entry < row.entries(); ++entry) {
    std::fill(words.begin(), words.end(), 0);
    row.add_to(words, entry);
    std::optional<AttributeValue> shared;  // by all comments with this code
    bool number = facet.facet().type == FacetType::number;
    std::size_t n = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (auto bits = words[word]; bits != 0; bits &= bits - 1) {
        auto position = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        if (position >= comments.size()) throw lmdb::Damaged("a bitmap is longer than its block");
        if (number || !shared)
          shared = value_of(reader, facet, row.code(entry), number ? row.rest(entry, n) : 0);
        add(comments[position], facet, *shared);
        ++n;
      }
    }
  }
}

std::vector<IndexedComment> read_block(Reader& reader, const Schema& schema, const Block& block) {
  std::vector<IndexedComment> comments(block.ids);
  bitmap_index::BlockIds ids(reader, block.start);
  for (std::size_t i = 0; i < comments.size(); ++i) comments[i].id = ids.at(i);
  for (const auto& facet : schema.facets()) {
    if (auto row = reader.row(facet.number, block.start)) add_facet(reader, facet, *row, comments);
  }
  for (auto& comment : comments) {  // tags lie by the hashes of their texts
    for (auto& [number, value] : comment.values) {
      if (auto* tags = std::get_if<std::vector<std::string>>(&value))
        std::sort(tags->begin(), tags->end());
    }
  }
  return comments;
}

}  // namespace

std::vector<IndexedComment> read_members(Reader& reader, const Schema& schema,
                                         std::optional<Ulid> after, std::size_t limit) {
  std::vector<IndexedComment> found;
  auto starts = reader.counts(bitmap_index::every_id, 0, 0);
  if (after) starts.seek_back(*after);
  if (!starts.there()) starts.seek({});  // the oldest id may start a block itself
  for (; starts.there() && found.size() < limit; starts.next()) {
    auto block = reader.block(starts.start());
    for (auto& comment : read_block(reader, schema, block)) {
      if ((!after || *after < comment.id) && found.size() < limit)
        found.push_back(std::move(comment));
    }
  }
  return found;
}

}  // namespace quire::page_index
