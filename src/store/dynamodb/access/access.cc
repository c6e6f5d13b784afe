#include "store/dynamodb/access/access.h"

#include <cstdlib>
#include <fstream>
#include <random>

#include "base/clock.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t max_file_bytes = 1 << 20;

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(max_file_bytes, '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(text.size())) && !file.eof()) return {};
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

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
  return {environment_variable, read_file, exchange, system_ms};
}

}  // namespace

Surroundings surroundings(Connections& connections, Provider& provider) {
  return {[&](Message message, Deadline deadline) {
            return connections.exchange(std::move(message), deadline);
          },
          [&](bool renew) { return provider.get(renew); }, system_ms, chance, pause};
}

TableAccess::TableAccess(const Address& address, std::optional<Surroundings> instead)
    : address(address),
      connections(loop.context(), address.endpoint),
      provider(sources(loop), address.profile),
      client(address, instead ? std::move(*instead) : surroundings(connections, provider)),
      freshness(client),
      totals(client, address.statistics == StatisticsBy::stream ? &freshness : nullptr),
      empty_lists(address.skip_empty),
      facets(client) {}

}  // namespace quire::dynamodb
