#include "http/server/clients.h"

namespace quire::http {
namespace {

std::string name_of(const boost::asio::ip::address& address) {
  if (address.is_v4()) {
    auto bytes = address.to_v4().to_bytes();
    return std::string(bytes.begin(), bytes.end());
  }
  auto bytes = address.to_v6().to_bytes();
  return std::string(bytes.begin(), bytes.begin() + 8);  // a client can use any address of its /64
}

}  // namespace

void Clients::set(std::size_t max_connections, std::size_t max_unsent) {
  std::lock_guard lock(mutex_);
  max_connections_ = max_connections;
  max_unsent_ = max_unsent;
  for (auto& [name, client] : clients_) client.unsent.set_max(max_unsent);
}

std::optional<Clients::Seat> Clients::enter(const boost::asio::ip::address& peer) {
  auto address = plain(peer);
  if (trusts(trusted_, address)) return Seat(address, nullptr, nullptr);
  std::lock_guard lock(mutex_);
  auto& client = *clients_.try_emplace(name_of(address), max_unsent_).first;
  if (client.second.connections >= max_connections_) return {};
  ++client.second.connections;
  return Seat(address, this, &client);
}

void Clients::leave(Known* client) {
  std::lock_guard lock(mutex_);
  if (--client->second.connections == 0) clients_.erase(clients_.find(client->first));
}

}  // namespace quire::http
