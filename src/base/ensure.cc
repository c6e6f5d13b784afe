#include "base/ensure.h"

#include <cstdio>
#include <cstdlib>

namespace quire {

void invariant_broken(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr,
               "quire: a fault of the program: %s is not so (%s:%d). Nothing more is written; "
               "start quire again, and report this line.\n",
               condition, file, line);
  std::abort();
}

}  // namespace quire
