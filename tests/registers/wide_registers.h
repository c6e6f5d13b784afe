// Whether the upper halves of vector registers are in use. As long as they are, each instruction of
// SSE drags them along on some processors, in the whole program.
#pragma once

#include <cstdint>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace quire::registers {

// What the processor says is in use of the registers of 256 and 512 bits, beyond the 128 of SSE.
constexpr std::uint32_t upper_of_256 = 1 << 2, upper_of_512 = 1 << 6;
constexpr std::uint32_t upper = upper_of_256 | upper_of_512;

#ifdef __x86_64__

inline std::uint32_t xgetbv(std::uint32_t index) {
  std::uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(index));
  return low;
}

// Whether this processor has such registers, and tells their use (XGETBV with 1).
inline bool can_tell() {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  constexpr std::uint32_t system_saves = 1 << 27, tells_use = 1 << 2;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & system_saves)) return false;
  if (!(xgetbv(0) & upper_of_256)) return false;
  return __get_cpuid_count(13, 1, &a, &b, &c, &d) && (a & tells_use);
}

// Only where can_tell().
inline std::uint32_t upper_in_use() {
  return xgetbv(1) & upper;
}
inline void clear_upper() {
  asm volatile("vzeroupper");
}
inline void use_upper() {
  asm volatile("vcmpeqps %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");
}

#else

inline bool can_tell() {
  return false;
}
inline std::uint32_t upper_in_use() {
  return 0;
}
inline void clear_upper() {}
inline void use_upper() {}

#endif

}  // namespace quire::registers
