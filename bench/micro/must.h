// For calls that fail only on a broken store.
#pragma once

#include <stdexcept>
#include <utility>

#include "quire/result.h"

namespace quire::bench {

// The value of a result; throws its error.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

}  // namespace quire::bench
