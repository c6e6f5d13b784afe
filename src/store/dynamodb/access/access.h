// How this process reaches the table: the client, its thread, and what reads and writes of the
// table share.
#pragma once

#include <atomic>
#include <optional>

#include "dynamodb/client.h"
#include "dynamodb/credentials/provider.h"
#include "loop/loop.h"
#include "store/dynamodb/facets/facets.h"
#include "store/dynamodb/items/reading.h"
#include "store/dynamodb/parts/known_parts.h"
#include "store/dynamodb/totals/marks.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

// The surroundings of a client that talks to a real service. Both arguments must outlive it.
Surroundings surroundings(Connections& connections, Provider& provider);

// Everything but `loop`, `damaged`, `entry_bytes` and what its header says is used on the loop
// only.
struct TableAccess {
  // `instead`: a test's surroundings, in place of a service.
  explicit TableAccess(const Address& address, std::optional<Surroundings> instead = {});

  const Address address;
  LoopThread loop;
  Connections connections;
  Provider provider;
  Client client;
  Freshness freshness;
  TotalsCache totals;
  EmptyLists empty_lists;
  Facets facets;
  KnownParts parts;
  DamagedItems damaged;
  std::atomic<double> entry_bytes = 600;  // billed for an entry of a list on average, from reads
};

}  // namespace quire::dynamodb
