// Which rows a text of JSON has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/reader.h"
#include "records/text.h"

namespace quire::records {

struct JsonForm {
  bool lines;
  std::string rows = {};  // the path of the array; empty: the document
};

// invalid_parameter, made by fault(): the rows are not told.
//
// An object in the first line is JSON lines, unless `form.rows` names an array, or the object is an
// answer of DynamoDB's scan (`Items`) or a model of NoSQL Workbench (`DataModel`). Rows that were
// rejected before are JSON lines, whatever the form says.
Result<JsonForm> json_form(Text& text, const Form& form);

// Whether a row that was rejected before begins the text.
bool begins_with_reject(Text& text);

// The paths of the arrays of objects in the beginning of a document, at most a few.
std::vector<std::string> json_arrays(std::string_view head);

}  // namespace quire::records
