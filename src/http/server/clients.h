// What each client, by its address, has of the server: connections, and bytes that wait for it.
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

// A client is an IPv4 address or a network of IPv6 (/64). Thread-safe.
class Clients {
 private:
  struct Client {
    explicit Client(std::size_t max_unsent) : unsent(max_unsent) {}
    std::size_t connections = 0;
    Budget unsent;
  };
  using ByName = std::unordered_map<std::string, Client>;
  using Known = ByName::value_type;  // stays where it is, whatever comes or goes

 public:
  // Trusted proxies bring many clients, and have no limits.
  Clients(std::size_t max_connections, std::size_t max_unsent, std::vector<Network> trusted)
      : max_connections_(max_connections), max_unsent_(max_unsent), trusted_(std::move(trusted)) {}

  // One connection of a client, until it ends. The clients must outlive it.
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

    // Of the bytes that wait for the client; null: it has no limit.
    Budget* unsent() const { return clients_ ? &client_->second.unsent : nullptr; }

    const boost::asio::ip::address peer;

   private:
    friend Clients;
    Seat(boost::asio::ip::address address, Clients* clients, Known* client)
        : peer(std::move(address)), clients_(clients), client_(client) {}

    Clients* clients_;  // null: not counted
    Known* client_;
  };

  // Nothing: the client has as many connections as it may have.
  std::optional<Seat> enter(const boost::asio::ip::address& peer);

 private:
  void leave(Known* client);

  const std::size_t max_connections_;
  const std::size_t max_unsent_;
  const std::vector<Network> trusted_;
  std::mutex mutex_;
  ByName clients_;  // those that have connections
};

}  // namespace quire::http
