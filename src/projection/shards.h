// Which shards of a stream are to be read, as a target stands. Pure.
#pragma once

#include <string>
#include <vector>

#include "projection/source.h"

namespace quire::projection {

// The marks a state begins with, before the table is scanned at `now_ms`: what open shards have is
// read again afterwards, what closed ones have is in the scan.
std::map<std::string, Mark> first_marks(const Stream& stream, std::uint64_t now_ms);

// Shards that may be read: not at their end, and everything of their parents is applied.
std::vector<std::string> readable(const State& state, const Stream& stream);

// Why the state cannot follow the stream any more, as a sentence; empty: it can. The stream is
// another one, or records may have come and gone that were never read.
std::string broken_off(const State& state, const Stream& stream, std::uint64_t now_ms);

// As as_of_ms(State), and of shards too that the state does not know yet.
std::uint64_t as_of_ms(const State& state, const Stream& stream);

// Shards whose marks tell nothing any more: ended, and no longer in the stream, nor the parent of
// one that is.
std::vector<std::string> forgettable(const State& state, const Stream& stream);

// In place of all shards, where AWS Lambda keeps the places in the stream.
inline const std::string lambda_mark = "lambda";

// Segments of the table's scan have marks like shards, as long as it is built.
std::string segment_name(std::size_t segment, std::size_t segments);
bool is_segment(const std::string& shard);

}  // namespace quire::projection
