// Memory that runs out when a test says so. One source of a program includes this, since it
// replaces the program's operators new and delete.
#pragma once

#include <cstdlib>
#include <new>

namespace quire {

// Of this thread: so many allocations succeed before one fails. Negative: none fails.
inline thread_local int allocations_left = -1;

}  // namespace quire

[[gnu::noinline]] void* operator new(std::size_t size) {
  if (quire::allocations_left >= 0 && quire::allocations_left-- == 0) throw std::bad_alloc();
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
