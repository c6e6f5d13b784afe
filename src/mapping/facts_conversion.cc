#include "mapping/facts_conversion.h"

#include "base/hash.h"
#include "product/facts.h"

namespace quire {

ConvertedRecord FactsConversion::convert(const Record& record) {
  const auto& facts = *mapping_.facts;
  if (!admits(record, facts.when.value_or(mapping_.when)))
    return PassedOver{"records that when does not admit"};
  NamedFacts row;
  const auto& product = facts.product ? facts.product : mapping_.product;
  const auto& table = facts.product ? facts.product_table : mapping_.product_table;
  if (auto reason = read_product(record, product, table, given_, row.product); !reason.empty())
    return Rejected{std::move(reason)};
  auto hash = long_hash(row.product);
  if (seen_.contains(hash)) return PassedOver{"records of a product that came before"};
  for (const auto& [name, field] : facts.told)
    for (auto& text :
         is_listed_fact(name) ? texts_in(record, field) : std::vector{prose_in(record, field)})
      if (!set_fact(row.facts, name, std::move(text)))
        ++remarks_["times " + name + " is left out: it is none that a product can have"];
  if (row.facts.name.empty()) return PassedOver{"records without the name of a product"};
  seen_.insert(hash);
  return ConvertedRow{encode_facts_row(row)};
}

}  // namespace quire
