// Opens page indexes.
#pragma once

#include <memory>
#include <string>

#include "base/access.h"
#include "page_index/page_index.h"
#include "quire/result.h"
#include "service/page_numbers.h"

namespace quire {

// `pages`: "store", "lmdb:DIR", "redis://…", "rediss://…", "sqlite:FILE", "mysql://…" or "none";
// empty: "store" for an embedded store, else "none". `store`: the address of the comments. Null for
// "store" and "none". An index that cannot be reached now is opened all the same.
// invalid_parameter: there is no such page index, or not for this store.
Result<std::unique_ptr<PageIndex>> open_pages(const std::string& pages, const std::string& store,
                                              Access access);

// What numbers pages, where `pages` was opened as `index`.
NumbersFrom numbers_from(const std::string& pages, PageIndex* index);

// An empty page index in a new directory under TMPDIR, else /tmp. Its files are gone when it is
// destroyed, or the process killed.
Result<std::unique_ptr<PageIndex>> open_temporary_index();

}  // namespace quire
