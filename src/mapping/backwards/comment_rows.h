// Comments as rows of the files that a mapping reads: an import backwards. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/field_values.h"
#include "mapping/file_mapping.h"
#include "mapping/row.h"
#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

// Reads each row that it makes, as an import does, and so knows what the file does not say. Not
// thread-safe.
class CommentRows {
 public:
  // invalid_parameter: the mapping has no [export], or its columns lack a product, a rating or a
  // time.
  static Result<CommentRows> of(FileMapping mapping);

  const std::vector<std::string>& columns() const { return mapping_.written->columns; }
  // A cell for each column. Absent: the file has no word for the comment's status.
  std::optional<std::vector<std::string>> row_of(const Comment& comment);
  // What the rows so far do not say of their comments, each as "languages", with its count.
  const Remarks& lost() const { return lost_; }

 private:
  using Cells = std::vector<std::string>;

  explicit CommentRows(FileMapping mapping) : mapping_(std::move(mapping)) {}

  bool has_column(const std::optional<MappedField>& field) const;
  void put(Cells& cells, const std::optional<MappedField>& field, std::string text) const;
  void put_time(Cells& cells, const MappedField& field, std::uint64_t ms) const;
  void put_attributes(Cells& cells, const Attributes& attributes) const;
  std::optional<std::string> status_word(const Moderation& moderation) const;
  void neutralize(Cells& cells);
  void compare(const Comment& comment, const Cells& cells);
  void compare_texts(const Comment& comment, const MappedRow& row);
  void compare_attributes(const Comment& comment, const MappedRow& row);
  void compare_reply(const Comment& comment, const MappedRow& row);
  void lose(std::string_view what) { ++lost_[std::string(what)]; }

  FileMapping mapping_;
  Remarks lost_;
};

// The fields as a line of CSV (RFC 4180), which ends with CRLF.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace quire
