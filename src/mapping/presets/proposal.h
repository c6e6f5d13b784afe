// A first mapping for a file that no preset knows, from a sample of its records. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "mapping/record.h"

namespace quire {

// How many records the sample has at most: further ones are not looked at.
inline constexpr std::size_t sample_records = 2000;

// The text of a mapping, with remarks. It fits the sample as well as names and values can tell, by
// the most of them: odd values change nothing. Columns about people are comments with the reason,
// and a last comment names what was not placed. Where the columns are those of a preset, the first
// lines say so. If rating or time are not found, the mapping says so, and is refused as a whole.
// `rows`: how the reader was told where the rows are; empty: it was not.
std::string propose_file_mapping(std::span<const Record> sample, std::string_view rows);

}  // namespace quire
