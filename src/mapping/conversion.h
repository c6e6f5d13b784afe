// Makes rows of an import of the records of a file that others made.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "mapping/field_values.h"
#include "mapping/file_mapping.h"
#include "mapping/record.h"
#include "quire/result.h"

namespace quire {

class Replies;
struct ImportRow;

// What a call brings beside the mapping.
struct Given {
  std::string product = {};   // of all rows; empty: as the mapping says
  std::string language = {};  // of rows that name none; empty: the mapping's default, or none
  // Of the mapping's `product.table`: the own id of a product, by that of the file.
  std::map<std::string, std::string, std::less<>> products = {};
};

// Of one file, which is read twice: look() at each record and looked() once, then convert() each in
// the same order. A file that cannot be read twice: look(), looked() and convert() with each
// record; then a reply finds its comment only if it comes before it. Takes at most 16 bytes a row
// with an id (twice that for a moment while it grows), 32 for each comment that has replies in
// rows of their own, and a temporary file for their texts. Not thread-safe.
class Conversion {
 public:
  Conversion(const FileMapping& mapping, Given given);
  ~Conversion();
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;

  // Finds what refuses the file, and keeps replies that have rows of their own.
  void look(const Record& record);
  // invalid_parameter: the file cannot be read by this mapping. The message says where, and which
  // option helps. unavailable: no room for the temporary file.
  Status looked() const;

  // A row of an import, in one line: docs/moving.md has its members and their order.
  struct Row {
    std::string json;
  };
  // The record is no comment, or not another one. Counted by `why`.
  struct PassedOver {
    std::string why;
  };
  // A sentence, which ends in the value at fault where there is one: `…: "11".`
  struct Rejected {
    std::string reason;
  };
  std::variant<Row, PassedOver, Rejected> convert(const Record& record);

  // What was left out of rows that were taken, with its count: "pictures that have no address".
  // Complete once each record was converted.
  Remarks remarks() const;

 private:
  Reason read(const Record& record, ImportRow& row);
  Reason read_product(const Record& record, std::string& out) const;
  Reason read_language(const Record& record, std::string& out) const;
  void read_pictures(const Record& record, ImportRow& row);
  void read_reply(const Record& record, const std::string& id, ImportRow& row);
  void look_at_time(const Record& record, const MappedField& field, std::string_view name);
  void look_at_reply(const Record& record, const std::string& comment);
  std::string answered_by(const Record& record) const;
  void refuse(Error error);

  const FileMapping mapping_;
  const Given given_;
  MappedField parent_;  // the id of the comment that a record answers, as [comment] has ids
  std::optional<Error> refused_;
  std::unique_ptr<Replies> replies_;               // null: none has a row of its own
  boost::unordered_flat_set<std::uint64_t> seen_;  // 64 bits of a hash of each id
  Remarks remarks_;
};

}  // namespace quire
