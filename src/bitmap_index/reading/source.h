// Where a listing gets the bitmap index of a product from.
#pragma once

#include <cstdint>
#include <memory>

#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/reader.h"

namespace quire::bitmap_index {

// The index of a product as one request sees it. The owner's transaction, databases and totals
// outlive it.
struct Source {
  std::unique_ptr<Reader> reader;  // null: the product has no comments
  std::uint64_t hash_key = 0;
  std::uint64_t generation = 0;  // of the product: see KeptTotals
  KeptTotals* kept = nullptr;    // null: no totals are kept
};

}  // namespace quire::bitmap_index
