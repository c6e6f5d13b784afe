// Reads comments, rows of an import and patches from JSON.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "model/import_row.h"
#include "model/moderation.h"
#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

// A row of an import: a draft that always has a time, and may have an id.
struct Row {
  Draft draft;
  std::optional<Ulid> id;
  std::string customer_id = {};  // the shop's own, of which the hash is kept; empty: there is none
  std::uint8_t lacks = 0;        // see ImportRow
};

// The body of a POST. The product comes from the address.
Result<Draft> parse_draft(std::string_view json, std::string_view product);
// A JSON merge patch; null empties author, title and text.
Result<Patch> parse_patch(std::string_view json);
// The body of a reply: {"author","text"}. Its time is not set.
Result<Reply> parse_reply(std::string_view json);
// The body of a report: {"reason","note","name","mail"}.
Result<Report> parse_report(std::string_view json);

// Tells by which key the rows behind it keep their customers: the key's check text.
struct CustomerKeyRow {
  std::string check;
};
// The line of an export.
std::string customer_key_json(std::string_view check);

// Names a comment that was removed or emptied where the export was made, so that imports pass its
// id over here, too.
struct RemovedRow {
  Ulid comment;
};
// The line of an export.
std::string removed_json(const Ulid& comment);

// A line of an import file: a comment; a report in the member `report`; a key's check text in the
// member `customer_key`; the id of a removed comment in the member `removed`. It is read as
// bring_into_form() tells (model/unique_json.h).
using AnyRow = std::variant<Row, ReportRow, CustomerKeyRow, RemovedRow>;
Result<AnyRow> parse_row(std::string_view json);

}  // namespace quire
