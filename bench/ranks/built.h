// A bitmap index of one product, of nothing but ids that have one of several values.
#pragma once

#include <string>
#include <vector>

#include "bitmap_index/edit.h"
#include "bitmap_index/reading/selection.h"
#include "lmdb/environment.h"

namespace quire::bench {

inline constexpr bitmap_index::Product only_product = 1;

class Built {
 public:
  // `directory` must be empty. Each id has a value drawn by lot, so that they are evenly mixed.
  Built(const std::string& directory, std::uint64_t members, std::uint32_t values);

  lmdb::Environment& environment() const { return *environment_; }
  const bitmap_index::Databases& databases() const { return databases_; }
  // The ids of all values, as a filter asks for them.
  const bitmap_index::Selection& all_values() const { return all_values_; }
  double seconds() const { return seconds_; }  // that applying and committing took
  std::uint64_t file_bytes() const;            // pages of the file, free ones too
  // Reads every entry, so that no measured call reads a page for the first time.
  void walk() const;

 private:
  std::unique_ptr<lmdb::Environment> environment_;
  bitmap_index::Databases databases_;
  bitmap_index::Selection all_values_;
  double seconds_ = 0;
};

}  // namespace quire::bench
