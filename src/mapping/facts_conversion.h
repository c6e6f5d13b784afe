// Makes facts of products of the records of a file that others made.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>

#include "mapping/comment_fields.h"
#include "mapping/converter.h"
#include "mapping/file_mapping.h"

namespace quire {

// By a mapping that has [facts]. A row is one of facts, as parse_facts_row() reads it: that of the
// first record of its product that has a name. A fact that no product can have is left out, with a
// remark. Takes 16 bytes a product (twice that for a moment while it grows).
class FactsConversion : public Converter {
 public:
  FactsConversion(const FileMapping& mapping, Given given)
      : mapping_(mapping), given_(std::move(given)) {}

  std::set<std::string, std::less<>> looked_at() const override { return {}; }
  void look(const Record&) override {}
  Status looked() const override { return Done{}; }
  ConvertedRecord convert(const Record& record) override;
  Remarks remarks() const override { return remarks_; }

 private:
  const FileMapping mapping_;
  const Given given_;
  boost::unordered_flat_set<std::uint64_t> seen_;  // a hash of each product
  Remarks remarks_;
};

}  // namespace quire
