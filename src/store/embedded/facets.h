// Changes of a store's facets by a process beside the one that writes the store, which notices them
// within a second and builds or drops the facets.
#pragma once

#include <string>

#include "quire/facet.h"
#include "quire/result.h"

namespace quire::embedded {

// As Store::declare() and Store::drop(). They wait while the other process commits. unavailable:
// there is no store of the present format in the directory.
Status declare_beside(const std::string& directory, const Facet& facet);
Status drop_beside(const std::string& directory, const std::string& name);

}  // namespace quire::embedded
