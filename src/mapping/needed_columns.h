// Whether a file has the columns without which a mapping makes no row of it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/comment_fields.h"
#include "mapping/file_mapping.h"
#include "mapping/record.h"
#include "quire/result.h"

namespace quire {

// Not thread-safe.
class NeededColumns {
 public:
  // `facts`: the mapping's facts of products are wanted, in place of comments.
  NeededColumns(const FileMapping& mapping, const Given& given, bool facts);

  // These find columns: those of a header, or those of a record that the mapping admits.
  void look_at_header(const std::vector<std::string>& columns);
  void look(const Record& record);
  // Whether look() finds nothing more.
  bool complete() const { return missing_.empty(); }
  // After these. invalid_parameter: of a field that each row needs, none of its columns was found.
  // The message tells the columns that were.
  Status found() const;

 private:
  struct Field {
    std::string name;
    std::vector<std::string> columns;
  };

  void need(std::string_view name, const MappedField& field);
  void find_in(const Record& record);

  std::vector<MappedWhen> when_;
  std::vector<Field> missing_;
  std::set<std::string> columns_ = {};  // of the first records
  int records_ = 0;                     // of these
};

}  // namespace quire
