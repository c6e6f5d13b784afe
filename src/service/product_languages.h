// The languages of the products of an import: a row whose product has the most languages already,
// and not that of the row, is refused.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <optional>

#include "quire/comment.h"
#include "store/store.h"

namespace quire {

// Knows the languages that the rows before had, and asks the store for those that it has. Used by
// one thread at a time, which is no thread of a loop: it waits for the store.
class ProductLanguages {
 public:
  // Pairs of product and language that are remembered, some 20 bytes each. Beyond them all are
  // forgotten, but for those in the store.
  static constexpr std::size_t max_pairs = 1'000'000;

  // The store must outlive this.
  explicit ProductLanguages(Store& store);

  // Why the store cannot keep the comment: Store::check(), or too many languages. Comments that
  // are not published are in no statistics, and have room.
  Status check(const Comment& comment);

 private:
  struct Product {
    std::uint32_t languages = 0;  // in the file and, once it was asked, in the store
    bool asked = false;
  };

  Store& store_;
  const std::uint32_t ask_from_;
  boost::unordered_flat_map<std::uint64_t, Product> products_;  // by the hash of the name
  boost::unordered_flat_set<std::uint64_t> pairs_;              // hashes of name and language
};

}  // namespace quire
