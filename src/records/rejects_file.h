// A file of the rows that an import rejected.
#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/record.h"
#include "quire/result.h"
#include "records/reader.h"

namespace quire::records {

// A second import takes it with the same mapping, whatever that says of rows, kind and encoding.
//
// Rows of CSV stay CSV, with the columns of the file and a last column `quire_reason`. Other rows
// are JSON lines: the record's members, those of the elements around it by their names, and a last
// member `quire_reason`; a bad row is the text `quire_row`, which is read as a row again. The file
// begins with the byte order mark of UTF-8, which leads the mapping's encoding. Not thread-safe.
class RejectsFile {
 public:
  // Replaces a file of this name. `columns` and `delimiter`: those of the Reader.
  // unavailable: it cannot be written.
  Status open(const std::string& file, Kind kind, const std::vector<std::string>& columns,
              char delimiter);
  bool is_open() const { return out_.is_open(); }

  void add(const Record& record, std::string_view reason);
  void add(const BadRow& row);  // with its own reason
  // False: the file was not written completely. True if it is not open.
  bool close();

 private:
  std::ofstream out_;
  Kind kind_ = Kind::json_lines;
  std::vector<std::string> columns_;
  char delimiter_ = ',';
};

}  // namespace quire::records
