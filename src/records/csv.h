// Rows of CSV: a header, then a row of fields each.
#pragma once

#include <csv.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "records/container.h"

namespace quire::records {

// The delimiter of a text that begins with a header: of `,` `;` tab `|` the most frequent outside
// quotes. A first line "sep=;", as Excel writes it, names it.
char delimiter_of(std::string_view head);

// Lines end with LF, CR LF or CR. A quote in a field without quotes is one of its characters. A
// quote in a field in quotes, or one that does not end, costs its line alone: the next line is read
// as the beginning of a row.
class Csv final : public Container {
 public:
  Csv(Text& text, char delimiter);
  ~Csv() override;
  Csv(const Csv&) = delete;
  Csv& operator=(const Csv&) = delete;

  // Before next(). invalid_parameter: there is no header.
  Status take_header();

  Result<Row> next() override;
  const std::vector<std::string>& columns() const override { return columns_; }
  char delimiter() const override { return delimiter_; }

 private:
  enum class Outcome { row, stray_quote, open_quote, too_long, end };

  static void take_field(void* field, std::size_t size, void* self);
  static void take_row(int, void* self);
  void begin_parser();
  bool more();
  Outcome read();
  Outcome parse(std::size_t size);
  Outcome finish();
  bool is_separator_line() const;
  void pass_row();
  BadRow pass_line(std::string reason);
  BadRow other_width() const;
  Record record() const;

  Text& text_;
  const char delimiter_;
  csv_parser parser_{};
  std::string input_;
  std::size_t begin_ = 0, scanned_ = 0;  // in the input: of the row, and what the parser has had
  std::uint64_t line_ = 1, lines_ = 0;   // where the row begins; its line ends so far
  bool text_ended_ = false;

  std::vector<std::string> fields_;  // of the row, but not more than its columns
  std::size_t count_ = 0;            // of all its fields
  bool row_ended_ = false, blank_ = true;
  std::vector<std::string> columns_;
  std::vector<std::string> names_;  // of all columns; empty: it is left out
};

}  // namespace quire::records
