// What the golden tests of formats share.
#pragma once

#include "bytes.h"
#include "quire/ulid.h"

namespace quire::embedded {

inline const Ulid golden_id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value();

}  // namespace quire::embedded
