// An index of one product, built from comments in the order of their times.
#pragma once

#include <string>

#include "bitmap_index/databases.h"
#include "bitmap_index/reading/reader.h"
#include "lmdb/environment.h"

namespace quire::bench {

class BuiltIndex {
 public:
  // `directory` is empty, or has the index of as many comments.
  BuiltIndex(const std::string& directory, std::uint64_t comments);

  lmdb::Environment& environment() { return environment_; }
  const bitmap_index::Databases& databases() const { return databases_; }
  std::uint64_t comments() const { return comments_; }
  bitmap_index::Reader reader(const lmdb::ReadTransaction& txn) const;
  double seconds() const { return seconds_; }  // that building took; 0: it was there
  double bytes_a_comment() const;              // of the file

 private:
  lmdb::Environment environment_;
  bitmap_index::Databases databases_;
  std::uint64_t comments_;
  double seconds_ = 0;
};

}  // namespace quire::bench
