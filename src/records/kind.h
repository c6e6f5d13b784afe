// The kind of a file, by its first bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quire/result.h"
#include "records/reader.h"

namespace quire::records {

// Errors are made by fault(), and say how to get rows of such a file.

// invalid_parameter: a file that begins with these bytes is of a known kind that is no text, such
// as a workbook.
Status check_bytes(std::string_view first);

// Absent: the text is blank. `{` and `[` are JSON, `<` is XML, all else CSV. json: whether it is
// lines, json_form() tells. invalid_parameter: the text is of a known kind without rows, such as a
// web page.
Result<std::optional<Kind>> kind_of(std::string_view head);

}  // namespace quire::records
