// Values with a seal behind them: a checksum of 32 bits over database, key and value. It detects a
// value that changed on disk, and a value under a wrong key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <lmdb.h>

#include "base/unavailable.h"

namespace quire::lmdb {

// Stored data is not what was written.
class Damaged : public Unavailable {
 public:
  using Unavailable::Unavailable;
};

// A database whose values are sealed. Its name is part of every checksum.
struct Sealed {
  MDB_dbi dbi = 0;
  std::uint64_t seed = 0;
  std::string_view name = {};

  operator MDB_dbi() const { return dbi; }
};

inline constexpr std::size_t seal_size = 4;

std::uint64_t seal_seed(std::string_view database);
std::uint32_t checksum(std::uint64_t seed, std::string_view key, std::string_view value);

// Writes the seal of `size` bytes behind them, where there must be room.
void write_seal(char* value, std::size_t size, std::uint64_t seed, std::string_view key);
// `out` must have room for the value and its seal.
void write_sealed(char* out, std::uint64_t seed, std::string_view key, std::string_view value);
std::string sealed(std::uint64_t seed, std::string_view key, std::string_view value);
// The value in `bytes` without its seal. Nothing: it is damaged.
std::optional<std::string_view> unsealed(std::uint64_t seed, std::string_view key,
                                         std::string_view bytes);

}  // namespace quire::lmdb
