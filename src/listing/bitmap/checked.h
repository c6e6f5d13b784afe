// Rows of an index that contradict each other, as an error.
#pragma once

#include "lmdb/sealed.h"
#include "loop/awaitable.h"
#include "quire/result.h"

namespace quire::bitmap {

// The answer of the index. unavailable: its rows are damaged.
template <class T>
Awaitable<Result<T>> checked(Awaitable<T> question) {
  try {
    co_return co_await std::move(question);
  } catch (const lmdb::Damaged&) {
    co_return Error{ErrorCode::unavailable,
                    "The bitmap index of this product is damaged: run quire verify."};
  }
}

}  // namespace quire::bitmap
