// How much of the server each client uses: its connections, and the bytes that wait for it.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "http/server/budget.h"
#include "http/server/client_address.h"

namespace quire::http {

// A client is an IPv4 address, or an IPv6 network of 64 bits. Thread-safe.
class Clients {
 private:
  struct Client {
    explicit Client(std::size_t max_unsent) : unsent(max_unsent) {}
    std::size_t connections = 0;
    Budget unsent;
  };
  using ByName = std::unordered_map<std::string, Client>;
  using Known = ByName::value_type;  // keeps its address while others are added and removed

 public:
  // The limits do not apply to trusted proxies, because each brings many clients.
  Clients(std::size_t max_connections, std::size_t max_unsent, std::vector<Network> trusted)
      : trusted_(std::move(trusted)), max_connections_(max_connections), max_unsent_(max_unsent) {}

  // Counts one connection of a client while it lives. The Clients must outlive it.
  class Seat {
   public:
    Seat(Seat&& other) noexcept
        : peer(other.peer),
          clients_(std::exchange(other.clients_, nullptr)),
          client_(other.client_) {}
    Seat& operator=(Seat&&) = delete;
    ~Seat() {
      if (clients_) clients_->leave(client_);
    }

    // The budget for bytes that wait for the client; null: the client has no limit.
    Budget* unsent() const { return clients_ ? &client_->second.unsent : nullptr; }

    const boost::asio::ip::address peer;

   private:
    friend Clients;
    Seat(boost::asio::ip::address address, Clients* clients, Known* client)
        : peer(std::move(address)), clients_(clients), client_(client) {}

    Clients* clients_;  // null: the client has no limits
    Known* client_;
  };

  // Sets both limits, also of clients that are there. Connections stay.
  void set(std::size_t max_connections, std::size_t max_unsent);

  // Nothing: the client has reached its number of connections.
  std::optional<Seat> enter(const boost::asio::ip::address& peer);

 private:
  void leave(Known* client);

  const std::vector<Network> trusted_;
  std::mutex mutex_;
  std::size_t max_connections_;  // this and what follows are guarded by mutex_
  std::size_t max_unsent_;
  ByName clients_;  // only those with connections
};

}  // namespace quire::http
