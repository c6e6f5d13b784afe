// What the store is made of; all but the loop and what is thread-safe live on the loop.
#pragma once

#include <atomic>

#include "dynamodb/provider.h"
#include "loop/loop.h"
#include "store/dynamodb/commits.h"
#include "store/dynamodb/damaged_items.h"
#include "store/dynamodb/freshness.h"
#include "store/dynamodb/writes.h"

namespace quire::dynamodb {

// What a client meets in earnest. Both must outlive it.
Surroundings surroundings(Connections& connections, Provider& provider);

struct Parts {
  // `instead`: what tests have in place of a service.
  explicit Parts(const Address& address, std::optional<Surroundings> instead = {});

  const Address address;
  LoopThread loop;
  Connections connections;
  Provider provider;
  Client client;
  Freshness freshness;
  TotalsCache totals;
  Commits commits;
  Writes writes;
  DamagedItems damaged;
  std::atomic<double> entry_bytes = 600;  // billed for an entry of a list, about; learnt by reading
};

}  // namespace quire::dynamodb
