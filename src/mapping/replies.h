// Replies that have rows of their own, by the comment that they answer. Their texts are in a
// temporary file, which nobody else sees.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "quire/result.h"

namespace quire {

// Takes 24 bytes for each comment with replies; twice that for a moment while it grows. Not
// thread-safe.
class Replies {
 public:
  struct Given {
    std::string author;
    std::string text;
    std::optional<std::uint64_t> ms;  // since 1970
  };
  // The first by time, of those without a time the first that was added; and how many there are.
  struct Found {
    std::optional<Given> first = {};
    std::uint64_t count = 0;
  };

  // unavailable: the temporary file cannot be made or written.
  Status add(std::string_view comment, const Given& reply);
  // The replies of this comment, which are forgotten. unavailable: the file cannot be read.
  Result<Found> take(std::string_view comment);
  // Those that were added and not taken.
  std::uint64_t left() const { return left_; }

 private:
  static constexpr std::uint64_t no_time = UINT64_MAX;
  struct Place {
    std::uint64_t ms;
    std::uint64_t offset : 40;  // in the file
    std::uint64_t count : 24;
  };
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  Status open();
  Result<std::uint64_t> write(std::string_view comment, const Given& reply);

  boost::unordered_flat_map<std::uint64_t, Place> places_;  // by a hash of the comment's id
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;  // of the file
  std::uint64_t left_ = 0;
};

}  // namespace quire
