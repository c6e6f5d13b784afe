// The region that AWS's own tools would take where none is named.
#pragma once

#include <cstdlib>
#include <string>

namespace quire {

inline std::string environment_region() {
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    const char* value = std::getenv(name);
    if (value && *value) return value;
  }
  return "";
}

}  // namespace quire
