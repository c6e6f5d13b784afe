// The question that Quire answers: which comments are on this page, under this filter?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quire/comment.h"

namespace quire {

// The values are part of cursors: add, never reorder.
enum class Sort : std::uint8_t {
  newest = 0,
  oldest = 1,
  highest = 2,  // best rating first, newest first within a rating
  lowest = 3,   // worst rating first, newest first within a rating
};

struct Query {
  std::string product;                      // 1 to 256 bytes of UTF-8
  std::vector<std::string> languages = {};  // empty: any
  std::vector<int> ratings = {};            // 1 to 5; empty or all five: any
  std::size_t limit = 20;                   // 1 to 100
  Sort sort = Sort::newest;
  std::optional<std::string> after = {};   // a cursor of an earlier page,
  std::optional<std::string> before = {};  // or a cursor of a later page,
  std::optional<std::uint64_t> page = {};  // or a page number from 1: at most one of the three
  bool explain = false;
};

struct Page {
  std::vector<Comment> comments;
  std::uint64_t total = 0;   // comments under this filter
  std::uint64_t number = 1;  // of this page, from 1, counted at its limit; 0: pages have no numbers
  std::uint64_t count = 1;   // of pages; a listing without comments has one; 0: as above
  std::string numbers_missing;      // why the page index gives no numbers, as a sentence
  std::optional<std::string> next;  // cursors; absent at the ends
  std::optional<std::string> previous;
  std::string plan;  // one line, with `explain`
};

}  // namespace quire
