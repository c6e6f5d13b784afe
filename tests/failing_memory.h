// Memory that runs out when a test says so. One source of a program includes this, and the linker
// passes the program's own calls of operator new here (--wrap, in CMakeLists.txt), also beside
// sanitizers.
#pragma once

#include <cstddef>
#include <new>

namespace quire {

// Of this thread: so many allocations succeed before one fails. Negative: none fails.
inline thread_local int allocations_left = -1;

}  // namespace quire

extern "C" {

void* __real__Znwm(std::size_t size);

void* __wrap__Znwm(std::size_t size) {
  if (quire::allocations_left >= 0 && quire::allocations_left-- == 0) throw std::bad_alloc();
  return __real__Znwm(size);
}

}  // extern "C"
