// The fields of a record's comment, by a mapping: of files and of tables alike. Pure.
#pragma once

#include "mapping/comment_mapping.h"
#include "mapping/field_values.h"
#include "mapping/given.h"
#include "mapping/record.h"
#include "mapping/row.h"

namespace quire {

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
