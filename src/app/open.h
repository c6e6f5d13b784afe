// Opens stores and page indexes by their addresses, and does the upkeep of embedded stores.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/keys.h"
#include "base/backend.h"
#include "change/target.h"
#include "cursor/cursor.h"
#include "identity/customers.h"
#include "listing/listing.h"
#include "page_index/page_index.h"
#include "quire/result.h"
#include "store/store.h"

namespace quire {

struct OpenStore {
  std::unique_ptr<Store> store;
  // Keys that are kept beside the comments.
  std::function<Result<std::vector<Seal::Key>>(KeyUse, Access)> keys;
  // Returns the check text of the key by which the store hashes its customers. A key has one check
  // text, which does not reveal the key. Where the store has no check text or no customers yet, it
  // keeps `fresh`, unless that is empty.
  std::function<Result<std::string>(std::string fresh)> customer_check;
  // Copies the store, consistently, into a new or empty directory. Returns what the copy lacks,
  // because pages of the store are damaged: "120 of 3000 comments"; empty: nothing.
  std::function<Result<std::string>(const std::string& directory)> backup;
  // Why a page index that follows a stream cannot number this store, as a sentence; empty: it can.
  std::function<Awaitable<std::string>(change::State)> refuses = {};
};

// `address`: "lmdb:DIR" or "dynamodb:TABLE?region=R&endpoint=URL". Opening to write makes an
// embedded store that is missing; create_table() makes tables. `index`: of a table that others made
// ("&map=FILE"), where there is one; it must outlive the store.
Result<OpenStore> open_store(const std::string& address, Access access, PageIndex* index = nullptr);

// The key of customers, from this file, or from beside the comments if its name is empty. With
// Access::write it is made where there is none, and the store has no customers. unavailable: there
// is none, or another one than that of the store's customers. A table that others made has none.
Result<identity::CustomerKey> customer_key_of(const OpenStore& open, const std::string& file,
                                              Access access);

// Whether the store keeps its customers by the key with this check text, or will: where it has no
// customers and the key is there, the store is that key's from now on. Empty: of a file that does
// not tell its key. An error says what to copy.
Status has_customer_key(const OpenStore& open, const std::string& file, std::string_view check);

// unavailable: the address is of an embedded store, and there is none. Other addresses are not
// looked at.
Status is_there(const std::string& address);

struct Verified {
  std::size_t comments;
  std::size_t differences;
  std::vector<std::string> reports;  // a sentence each; the first thousand
  bool pages_damaged = false;        // of the file: then no repair helps
};

// Checks the pages and checksums of an embedded store, and recounts its lists, counts, page index
// and leaderboard. Throws when the store cannot be read.
Result<Verified> verify_store(const std::string& address);

struct Repaired {
  std::size_t comments;
  std::vector<std::string> set_aside;  // ids of comments that cannot be read, or share their id
  std::vector<std::string> facts_aside = {};  // products whose facts cannot be read
  std::size_t lost_facets = 0;                // declarations that cannot be read
  std::size_t removed = 0;  // rows of reports, votes, decisions and tickets that cannot be read
};

// Makes all but the comments of an embedded store anew, in one transaction. No other process may
// write meanwhile.
Result<Repaired> repair_store(const std::string& address);

// Rewrites an embedded store in place without what was deleted. No other process may write
// meanwhile, and readers must end within 30 seconds. Killed, the store is as before, or as after.
// Returns what it would lack, as above: then nothing was changed. `progress` is told the part that
// is done, from 0 to 1, and the entries so far.
Result<std::string> compact_store(
    const std::string& address,
    const std::function<void(double part, std::uint64_t entries)>& progress);

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
