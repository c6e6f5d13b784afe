#include "store/dynamodb/access/access.h"

#include <random>

#include "base/clock.h"
#include "dynamodb/credentials/process.h"

namespace quire::dynamodb {
namespace {

double chance() {
  thread_local std::mt19937_64 random(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(random);
}

Provider::Sources sources(LoopThread& loop) {
  auto exchange = [&loop](Origin origin, Message message,
                          Deadline deadline) -> Awaitable<Exchanged> {
    Connections once(loop.context(), std::move(origin));
    co_return co_await once.exchange(std::move(message), deadline);
  };
  auto [environment, read_file] = system_configuration();
  return {environment, read_file, exchange, system_ms, run_process};
}

}  // namespace

Surroundings surroundings(Connections& connections, Provider& provider) {
  return {[&](Message message, Deadline deadline) {
            return connections.exchange(std::move(message), deadline);
          },
          [&](std::string refused) { return provider.get(std::move(refused)); }, system_ms, chance,
          pause};
}

TableAccess::TableAccess(const Address& address, std::optional<Surroundings> instead)
    : address(address),
      connections(loop.context(), address.endpoint),
      provider(sources(loop), address.profile, address.region),
      client(address, instead ? std::move(*instead) : surroundings(connections, provider)),
      freshness(client),
      totals(client, address.statistics == StatisticsBy::stream ? &freshness : nullptr),
      empty_lists(address.skip_empty),
      facets(client),
      parts(client) {}

}  // namespace quire::dynamodb
