// A deed looks at its permit.
#pragma once

#include <stdexcept>

#include "desk/desk.h"

namespace quire::desk {

// The writer of a permit for this deed. With another permit it throws std::logic_error: a door
// asked for one deed and does another.
inline const Writer& expect(const Permit& permit, Deed deed) {
  if (permit.deed() != deed) throw std::logic_error("a permit is for another deed");
  return permit.writer();
}

}  // namespace quire::desk
