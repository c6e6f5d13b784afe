// Which shards of a stream are to be read, by a target's state. Pure.
#pragma once

#include <string>
#include <vector>

#include "projection/source.h"

namespace quire::projection {

// The marks that a state begins with, before the table is scanned at `now_ms`. The records of open
// shards are read again afterwards; what closed shards have is in the scan.
std::map<std::string, Mark> first_marks(const Stream& stream, std::uint64_t now_ms);

// When a target with this epoch began to be built: an epoch is a ULID. 0: not known.
std::uint64_t begun_ms(const std::string& epoch);

// Shards that may be read: they have not ended, and everything of their parents is applied.
std::vector<std::string> readable(const State& state, const Stream& stream);

// Why the state can no longer follow the stream, as a sentence: the stream is another one, or
// records may have come and gone that were never read. Empty: it can.
std::string broken_off(const State& state, const Stream& stream, std::uint64_t now_ms);

// As as_of_ms(State), but also of shards that the state does not know yet.
std::uint64_t as_of_ms(const State& state, const Stream& stream);

// Shards whose marks are no longer needed: they ended, and neither they nor their children are in
// the stream.
std::vector<std::string> forgettable(const State& state, const Stream& stream);

// Whether a sequence number of a shard is not after another. They are decimal numbers of up to 40
// digits.
bool not_after(const std::string& sequence, const std::string& other);

// Segments of the table's scan have marks like shards, while a target is built.
std::string segment_name(std::size_t segment, std::size_t segments);
bool is_segment(const std::string& shard);

}  // namespace quire::projection
