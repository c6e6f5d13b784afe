// How a question that lists values chooses by them.
#pragma once

#include <algorithm>

namespace quire {

// Whether it is one of the values; none are listed: any is wanted.
template <class Values, class Value>
bool wants(const Values& values, const Value& value) {
  return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace quire
