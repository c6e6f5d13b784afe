// The port of what makes rows of an import of the records of a file.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <variant>

#include "mapping/field_values.h"
#include "mapping/record.h"
#include "quire/result.h"

namespace quire {

// A row of an import, in one line.
struct ConvertedRow {
  std::string json;
};
// The record is no row, or not another one. Counted by `why`.
struct PassedOver {
  std::string why;
};
// A sentence, which ends in the value at fault where there is one: `…: "11".`
struct Rejected {
  std::string reason;
};
using ConvertedRecord = std::variant<ConvertedRow, PassedOver, Rejected>;

// Of one file: look() at each record and looked() once, then convert() each in the same order. Not
// thread-safe.
class Converter {
 public:
  virtual ~Converter() = default;

  // The names of the members that look() reads: it takes records without the others, too.
  virtual std::set<std::string, std::less<>> looked_at() const = 0;
  virtual void look(const Record& record) = 0;
  // invalid_parameter: the file cannot be read by this mapping. The message says where, and which
  // option helps. unavailable: no room for a temporary file.
  virtual Status looked() const = 0;
  virtual ConvertedRecord convert(const Record& record) = 0;
  // What was left out of rows that were taken, with its count: "pictures that have no address".
  // Complete once each record was converted.
  virtual Remarks remarks() const = 0;
};

}  // namespace quire
