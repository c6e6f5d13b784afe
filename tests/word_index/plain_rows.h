// Rows of words in memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "word_index/row.h"
#include "word_index/terms_of_segment.h"

namespace quire::word_index {

using PlainRows = std::map<std::string, std::string>;

class PlainSource : public RowSource {
 public:
  explicit PlainSource(const PlainRows& rows) : rows_(rows), at_(rows.end()) {}

  std::optional<Found> at_or_before(std::string_view key) override {
    at_ = rows_.upper_bound(std::string(key));
    began_ = at_ != rows_.begin();
    if (!began_) return {};
    --at_;
    return found();
  }

  std::optional<Found> next() override {
    at_ = began_ ? std::next(at_) : rows_.begin();
    began_ = true;
    return found();
  }

 private:
  std::optional<Found> found() const {
    if (at_ == rows_.end()) return {};
    return Found{at_->first, at_->second};
  }

  const PlainRows& rows_;
  PlainRows::const_iterator at_;
  bool began_ = false;
};

using Postings = std::map<std::string, std::vector<Position>>;  // of a segment

inline void put_rows(PlainRows& to, std::vector<Row> rows) {
  for (auto& row : rows) to.emplace(std::move(row.key), std::move(row.value));
}

inline std::vector<Row> rows_of(Slot segment, const Postings& postings) {
  RowWriter writer(segment);
  for (const auto& [term, positions] : postings) writer.add(term, positions);
  return writer.finish();
}

inline Postings postings_of(const PlainRows& rows, Slot segment) {
  PlainSource source(rows);
  TermsOfSegment terms(source, segment);
  Postings postings;
  while (terms.next()) {
    auto term = terms.term();
    terms.append_to(postings[term]);
  }
  return postings;
}

}  // namespace quire::word_index
