// A store of nothing but lists: their ids have no comments.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lmdb/ranked_set.h"
#include "model/facets.h"
#include "store/embedded/databases.h"

namespace quire::bench {

class Built {
 public:
  // `directory` must be empty. One product, with one list a language; each id goes to a list drawn
  // by lot, so that the lists are evenly mixed.
  Built(const std::string& directory, std::uint64_t members, std::uint32_t lists);

  const std::vector<Cell>& lists() const { return lists_; }
  const std::vector<lmdb::List>& numbers() const { return numbers_; }  // of the lists
  const embedded::Databases& databases() const { return *databases_; }
  double seconds() const { return seconds_; }  // that applying and committing took
  std::uint64_t file_bytes() const;            // pages of the file, free ones too
  std::uint64_t tree_bytes() const;            // pages that hold the lists
  // Reads every entry, so that no measured call reads a page for the first time.
  void walk() const;

 private:
  using Batch = std::vector<std::vector<lmdb::RankedChange>>;  // for each list

  void name_lists(std::uint32_t lists);
  void apply(const Batch& batch);

  std::unique_ptr<embedded::Databases> databases_;
  std::vector<Cell> lists_;
  std::vector<lmdb::List> numbers_;
  double seconds_ = 0;
};

}  // namespace quire::bench
