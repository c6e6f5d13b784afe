#include "mapping/given.h"

#include <fmt/format.h>

namespace quire {

Reason read_product(const Record& record, const std::optional<MappedField>& field,
                    const CommentMapping& mapping, const Given& given, std::string& out) {
  out = given.product;
  if (!out.empty()) return {};
  out = prose_in(record, field);
  if (out.empty()) {
    auto unfit = field ? found_in(record, *field).unfit : "";
    if (!unfit.empty()) return reason_of("The product is not of the pattern", unfit);
    return "There is no product.";
  }
  if (mapping.product_table.empty()) return {};
  auto own = given.products.find(out);
  if (own == given.products.end())
    return reason_of(fmt::format("The product is not in {}", mapping.product_table), out);
  out = own->second;
  return {};
}

}  // namespace quire
