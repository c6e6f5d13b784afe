// Reads comments, rows of an import and patches from JSON.
#pragma once

#include <string_view>

#include "model/moderation.h"
#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

// Makes comments: from a draft, or from a comment and a patch.
Comment comment_of(const Ulid& id, Draft draft);
// The comment with the fields of the patch. invalid_comment: it would have too many attributes.
Result<Comment> patched(Comment comment, const Patch& patch);

// A row of an import: a draft that always has a time, and may have an id.
struct Row {
  Draft draft;
  std::optional<Ulid> id;
};

// The body of a POST. The product comes from the address.
Result<Draft> parse_draft(std::string_view json, std::string_view product);
// A JSON merge patch; null empties author, title and text.
Result<Patch> parse_patch(std::string_view json);
// A report as a line of an export.
struct ReportRow {
  Ulid comment;
  Report report;
};
std::string report_json(const Ulid& comment, const Report& report);
// Whether a line of an import file is a report.
bool is_report_row(std::string_view json);
Result<ReportRow> parse_report_row(std::string_view json);
// The body of a report: {"reason","note"}.
Result<Report> parse_report(std::string_view json);

// A line of an import file.
Result<Row> parse_row(std::string_view json);

}  // namespace quire
