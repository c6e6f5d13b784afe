// Opens page indexes.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/open.h"
#include "base/access.h"
#include "listing/listing.h"
#include "page_index/page_index.h"
#include "quire/result.h"
#include "store/store.h"

namespace quire {

// `pages`: "store", "lmdb:DIR", "redis://…", "rediss://…", "sqlite:FILE", "mysql://…",
// "postgresql://…" or "none"; empty: "store" for an embedded store, else "none". `store`: the
// address of the comments. Null for "store" and "none". An index that cannot be reached now is
// opened all the same. invalid_parameter: there is no such page index, or not for this store.
Result<std::unique_ptr<PageIndex>> open_pages(const std::string& pages, const std::string& store,
                                              Access access);

// Opens listings of `store`, numbered as `pages` says, which was opened as `index`. The store and
// the index must outlive it. An index that is further behind than `max_behind` gives no numbers,
// nor one that the store refuses.
std::unique_ptr<ListingMaker> make_listings(OpenStore& open, const std::string& pages,
                                            PageIndex* index, std::chrono::seconds max_behind);

// An empty page index in a new directory under TMPDIR, else /tmp. Its files are gone when it is
// destroyed, or the process killed.
Result<std::unique_ptr<PageIndex>> open_temporary_index();

}  // namespace quire
