// How the partition key of an index is made for a list: "PRODUCT#{product}/{language}/{rating}".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/facets.h"
#include "quire/result.h"

namespace quire::adopted {

class KeyPattern {
 public:
  // invalid_parameter: {product} is not there once, {language} or {rating} twice, or the text has
  // another placeholder.
  static Result<KeyPattern> parse(std::string_view text);

  // Which facets the key has.
  const FacetSet& keyed() const { return keyed_; }
  // The key of the list, which has a value for each facet of the key.
  std::string key_of(std::string_view product, const Cell& list) const;

 private:
  enum class Kind { text, product, language, rating };
  struct Piece {
    Kind kind;
    std::string text = {};
  };
  std::vector<Piece> pieces_;
  FacetSet keyed_{};
};

// "byLang" of the index by these facets, among Quire's own.
std::size_t index_by(const FacetSet& keyed);

}  // namespace quire::adopted
