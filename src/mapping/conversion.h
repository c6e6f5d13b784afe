// Makes rows of an import of the records of a file that others made.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "mapping/comment_fields.h"
#include "mapping/converter.h"
#include "mapping/file_mapping.h"
#include "mapping/record.h"
#include "quire/result.h"

namespace quire {

class Replies;

// Of one file, which is read twice: look() at each record and looked() once, then convert() each in
// the same order. A file that cannot be read twice: look(), looked() and convert() with each
// record; then a reply finds its comment only if it comes before it. Takes at most 16 bytes a row
// with an id (twice that for a moment while it grows), 32 for each comment that has replies in
// rows of their own, and a temporary file for their texts. Not thread-safe.
class Conversion : public Converter {
 public:
  Conversion(const FileMapping& mapping, Given given);
  ~Conversion() override;
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;

  std::set<std::string, std::less<>> looked_at() const override;
  // Finds what refuses the file, and keeps replies that have rows of their own.
  void look(const Record& record) override;
  Status looked() const override;
  // The row is one of comments: docs/moving.md has its members and their order.
  ConvertedRecord convert(const Record& record) override;
  Remarks remarks() const override;

 private:
  void take_reply(const std::string& id, MappedRow& row);
  void look_at_time(const Record& record, const MappedField& field, std::string_view name);
  void look_at_reply(const Record& record, const std::string& comment);
  std::string answered_by(const Record& record) const;
  void refuse(Error error);

  const FileMapping mapping_;
  const Given given_;
  std::optional<MappedField> parent_;  // the id of the comment that a record answers
  std::optional<Error> refused_;
  std::unique_ptr<Replies> replies_;               // null: none has a row of its own
  boost::unordered_flat_set<std::uint64_t> seen_;  // 64 bits of a hash of each id
  Remarks remarks_;
};

}  // namespace quire
