// What a call brings beside the mapping, and the product of a record.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "mapping/comment_mapping.h"
#include "mapping/field_values.h"
#include "mapping/record.h"

namespace quire {

struct Given {
  std::string product = {};   // of all rows; empty: as the mapping says
  std::string language = {};  // of rows that name none; empty: the mapping's default, or none
  // Of the mapping's `product.table`: the own id of a product, by that of the file.
  std::map<std::string, std::string, std::less<>> products = {};
};

// Puts the product of a record into `out`. `field`: of the mapping, which names it.
Reason read_product(const Record& record, const std::optional<MappedField>& field,
                    const CommentMapping& mapping, const Given& given, std::string& out);

}  // namespace quire
