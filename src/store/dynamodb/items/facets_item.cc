#include "store/dynamodb/items/facets_item.h"

#include "model/schema.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {

Item facets_key() {
  return key_of("FACETS", "FACETS");
}

Item facets_item(const TableFacets& facets) {
  Item item = facets_key();
  item.emplace("version", number(facets.version));
  item.emplace("next", number(facets.next));
  item.emplace("facets", string(encode_schema(facets.schema)));
  return item;
}

std::optional<TableFacets> read_facets(const Item& item) {
  auto version = number_of(item, "version"), next = number_of(item, "next");
  auto text = text_of(item, "facets");
  auto schema = text ? decode_schema(*text) : std::nullopt;
  if (!version || !next || !schema || *version == 0 || *next > no_facet) return {};
  if (*next <= schema->facets().back().number) return {};
  return TableFacets{*version, static_cast<FacetNumber>(*next), std::move(*schema)};
}

}  // namespace quire::dynamodb
