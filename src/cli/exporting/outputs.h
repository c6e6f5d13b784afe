// What writes the comments of an export to standard output.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/exporting/comments.h"
#include "mapping/backwards/comment_rows.h"

namespace quire::cli {

// Writes bytes to standard output. False: they could not be written.
bool print_bytes(std::string_view bytes);

// JSON Lines, as an import takes them.
class JsonLines : public ExportOutput {
 public:
  // `customer_key`: the check text of the store's key, which is told before the first row that
  // needs it; empty: there is none. `contacts`: whether reports have those who gave notice.
  JsonLines(std::string customer_key, bool contacts)
      : customer_key_(std::move(customer_key)), contacts_(contacts) {}

  void line(std::string_view json);
  bool document(std::string_view document) override;
  void comment(const Comment& comment) override;
  void report(const Ulid& comment, const Report& report) override;
  void removed(const Ulid& id) override;
  bool whole() const override { return whole_; }

 private:
  std::string customer_key_;
  const bool contacts_;
  bool whole_ = true;
};

// CSV, as the system of a mapping takes it.
class CsvFile : public ExportOutput {
 public:
  explicit CsvFile(CommentRows rows);

  bool document(std::string_view document) override;
  void comment(const Comment& comment) override;
  void report(const Ulid&, const Report&) override { ++reports_; }
  void removed(const Ulid&) override {}
  bool whole() const override { return whole_; }

  // Says on standard error what the file does not have.
  void tell() const;

 private:
  void line(const std::vector<std::string>& fields);

  CommentRows rows_;
  std::uint64_t reports_ = 0;
  bool whole_ = true;
};

}  // namespace quire::cli
