// The rows that an import does not take: told at its end by reason, and kept in the rejects file.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mapping/record.h"
#include "quire/result.h"
#include "records/reader.h"
#include "records/rejects_file.h"

namespace quire::cli {

// A row as it stood in its file.
struct Origin {
  std::string_view file;
  std::uint64_t line = 0;
  // A line of Quire's own; a row of another's file; bytes of such a file that are no row.
  std::variant<std::string_view, const Record*, const records::BadRow*> row = {};
};

// A line of Quire's own rows without the reason for which an earlier import rejected it.
std::string_view without_reason(std::string_view line, std::string& buffer);

class Rejects {
 public:
  static constexpr std::size_t max_reasons = 100;  // that are told apart

  // `file`: the rejects file; empty: there is none. invalid_parameter: it is one of the files that
  // are imported.
  static Result<Rejects> to(const std::string& file, const std::vector<std::string>& inputs);

  // Begin the rejects file anew, if it is not open: for Quire's own rows, or for the rows of files
  // of a kind. An import that cannot begin thus leaves the rejects of an earlier one alone.
  // unavailable: it cannot be written. invalid_parameter: it has rows of another kind already.
  Status open();
  Status open(records::Kind kind, const std::vector<std::string>& columns, char delimiter);

  void add(const Origin& origin, std::string_view reason);

  // Prints each reason with its number of rows and its first one, and completes the file.
  Status finish();
  std::size_t count() const { return count_; }

 private:
  struct Reason {
    std::string example;  // "reviews.csv:17: The rating …"
    std::uint64_t rows = 0;
  };

  void keep(const Origin& origin, std::string_view reason);

  std::string file_;
  std::map<std::string, Reason, std::less<>> reasons_;
  std::uint64_t others_ = 0;  // rows for further reasons
  std::size_t count_ = 0;
  std::ofstream lines_;        // of Quire's own rows
  records::RejectsFile rows_;  // of another's
  records::Kind kind_{};
  std::vector<std::string> columns_;
};

}  // namespace quire::cli
