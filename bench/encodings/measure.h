// The measurements of the encodings.
#pragma once

#include <string>
#include <vector>

#include "lists.h"

namespace quire::bench {

inline constexpr std::size_t page_rows = 20;
inline constexpr std::size_t share_rows = 8;  // of a page, in each list of a union of a few

// The figures of one encoding of `data`.
struct DataFigures {
  std::string form;
  double mean, p50, p99;  // bytes of `data`
  double entry;           // bytes of an entry of the finest index, mean
  double page_units;      // read units of the newest 20 of a product that has as many, mean
  double any_page_units;  // of the newest 20, or fewer, of any product
  double share_units;     // of the newest 8 of a list of the finest index that has as many
  double wire;            // bytes of an answer with 20
  double decode, encode;  // such an answer, in µs of the processor's time
};
std::vector<DataFigures> measure_data(const std::vector<Comment>& comments);

// Microseconds to make the documents of 20 comments, the form of an answer.
double measure_documents(const std::vector<Comment>& comments);

// The length of a cursor into that many lists, in characters: the mean over products that have 20
// comments.
struct CursorFigures {
  std::size_t lists;
  double json, json_zipped, protobuf, protobuf_zipped, ours;
};
std::vector<CursorFigures> measure_cursors(const std::vector<Comment>& comments);

}  // namespace quire::bench
