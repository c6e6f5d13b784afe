// The fields of a record's comment, by a mapping: of files and of tables alike. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "mapping/comment_mapping.h"
#include "mapping/field_values.h"
#include "mapping/record.h"
#include "mapping/row.h"

namespace quire {

// What a call brings beside the mapping.
struct Given {
  std::string product = {};   // of all rows; empty: as the mapping says
  std::string language = {};  // of rows that name none; empty: the mapping's default, or none
  // Of the mapping's `product.table`: the own id of a product, by that of the file.
  std::map<std::string, std::string, std::less<>> products = {};
};

// Puts the product of a record into `out`. `field` names it; `table`: of the field, or empty.
Reason read_product(const Record& record, const std::optional<MappedField>& field,
                    const std::string& table, const Given& given, std::string& out);

// Puts all into the row but id, attributes, pictures and reply.
Reason read_fields(const CommentMapping& mapping, const Given& given, const Record& record,
                   MappedRow& row);

// Leaves out what is no address of a picture, with a remark.
void read_pictures(const CommentMapping& mapping, const Record& record, MappedRow& row,
                   Remarks& remarks);

// The reply that lies in the record of its comment. One without a date has that of the row.
void read_reply(const CommentMapping& mapping, const Record& record, MappedRow& row,
                Remarks& remarks);

}  // namespace quire
