// How this process reaches the table: the client, its thread, and what reads, writes and inspection
// of the table share, as the sweep of what removed comments leave.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "dynamodb/credentials/provider.h"
#include "dynamodb/table_client.h"
#include "loop/loop.h"
#include "quire/ulid.h"
#include "store/dynamodb/access/filling_indexes.h"
#include "store/dynamodb/facets/facets.h"
#include "store/dynamodb/items/reading.h"
#include "store/dynamodb/parts/known_parts.h"
#include "store/dynamodb/totals/marks.h"
#include "store/dynamodb/totals/present_stream.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

// The surroundings of a client that talks to a real service. Both arguments must outlive it.
Surroundings surroundings(HttpClient& http_client, Provider& provider);

// Everything but `loop`, `damaged`, `filling`, `entry_bytes` and what its header says is used on
// the loop only.
struct TableAccess {
  // `instead`: a test's surroundings, in place of a service.
  explicit TableAccess(const Address& address, std::optional<Surroundings> instead = {});

  const Address address;
  LoopThread loop;
  HttpClient http_client;
  Provider provider;
  TableClient client;
  PresentStream present_stream;
  Freshness freshness;
  TotalsCache totals;
  EmptyLists empty_lists;
  Facets facets;
  KnownParts parts;
  DamagedItems damaged;
  FillingIndexes filling;
  std::atomic<double> entry_bytes = 600;  // billed for an entry of a list on average, from reads
};

// Asks each index of lists, and notes those that are being filled. An error: the table does not
// answer, lacks an index, or fills all of them. On the client's loop.
Awaitable<Status> look_at_lists(TableAccess& access);

// Removes what is left of comments that were removed: votes, of which there may be many, and
// reports. The item SWEEP beside them says so; it goes last, so a sweep that was cut off goes on.
// While it is there, the votes beside it are on no comment, also when one came back with the id.

// Sweeps at most some hundred items of one comment, which has the item SWEEP. False: nothing is
// left of it. On the client's loop.
Awaitable<Result<bool>> sweep_comment(TableClient& client, Ulid id);
// Whether the comment has the item SWEEP, as of now.
Awaitable<Result<bool>> is_unswept(TableClient& client, Ulid id);
// The same of any comment that the index `all` names, a moment behind the table.
Awaitable<Result<bool>> sweep_some(TableClient& client);

struct ItemsAnswer {
  std::vector<Item> items;  // those that are there, in any order
  double consumed = 0;      // read units; added to the client's metrics
};

// In batches of a hundred keys, of which a few are under way at once. A batch that the service
// answers in part is asked for the rest, a limited number of times; then unavailable. Each key
// once. May not see what was written just before. On the client's loop.
Awaitable<Result<ItemsAnswer>> get_items(TableClient& client, std::vector<Item> keys);

}  // namespace quire::dynamodb
