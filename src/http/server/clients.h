// How much of the server each client uses: its connections, and the bytes that wait for it.
#pragma once

#include <prometheus/gauge.h>

#include <atomic>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quire/result.h"

namespace quire::http {

// A number of bytes that connections share. Thread-safe.
class Budget {
 public:
  // `gauge` shows the bytes taken in /metrics; may be null.
  explicit Budget(std::size_t max, prometheus::Gauge* gauge = nullptr) : max_(max), gauge_(gauge) {}

  // Bytes that are taken already stay so.
  void set_max(std::size_t max) { max_.store(max, std::memory_order_relaxed); }

  // Does not reserve the bytes: threads that ask at the same moment may together exceed the bound.
  bool has_room(std::size_t bytes) const {
    return taken() + bytes <= max_.load(std::memory_order_relaxed);
  }
  std::size_t taken() const { return taken_.load(std::memory_order_relaxed); }

  // Holds bytes of the budget while it lives. The budget must outlive it.
  class Hold {
   public:
    Hold() = default;
    Hold(Budget& budget, std::size_t bytes) : budget_(&budget, Release{bytes}) {
      budget.taken_ += bytes;
      if (budget.gauge_) budget.gauge_->Increment(static_cast<double>(bytes));
    }

   private:
    struct Release {
      std::size_t bytes;
      void operator()(Budget* budget) const {
        budget->taken_ -= bytes;
        if (budget->gauge_) budget->gauge_->Decrement(static_cast<double>(bytes));
      }
    };
    std::unique_ptr<Budget, Release> budget_;
  };

 private:
  std::atomic<std::size_t> max_;
  prometheus::Gauge* const gauge_;
  std::atomic<std::size_t> taken_ = 0;
};

// "10.0.0.0/8", "::1", "192.0.2.7".
struct Network {
  boost::asio::ip::address address;
  unsigned prefix;

  static Result<Network> parse(const std::string& text);
  bool contains(const boost::asio::ip::address& address) const;
};

// The IPv4 address in an IPv4-mapped IPv6 address (::ffff:192.0.2.7); any other address as it is.
boost::asio::ip::address plain(const boost::asio::ip::address& address);

bool trusts(const std::vector<Network>& trusted, const boost::asio::ip::address& address);

// The address of the client that sent a request: the peer's, or the one that trusted proxies name.
// From the right of Forwarded (RFC 7239) or X-Forwarded-For, the first address that is no trusted
// proxy. The headers count only if the peer is trusted. If both are there and they differ, the
// result is the peer.
boost::asio::ip::address client_address(const boost::asio::ip::address& peer,
                                        const boost::beast::http::fields& headers,
                                        const std::vector<Network>& trusted);

// A client is an IPv4 address, or an IPv6 network of 64 bits. Thread-safe.
class Clients {
 private:
  struct Client {
    explicit Client(std::size_t max_unsent) : unsent(max_unsent) {}
    std::size_t connections = 0;
    Budget unsent;
  };
  using ByName = std::unordered_map<std::string, Client>;
  using NamedClient = ByName::value_type;  // keeps its address while others are added and removed

 public:
  // The limits do not apply to trusted proxies, because each brings many clients.
  Clients(std::size_t max_connections, std::size_t max_unsent, std::vector<Network> trusted)
      : trusted_(std::move(trusted)), max_connections_(max_connections), max_unsent_(max_unsent) {}

  // Counts one connection of a client while it lives. The Clients must outlive it.
  class Seat {
   public:
    // The budget for bytes that wait for the client; null: the client has no limit.
    Budget* unsent() const { return client_ ? &client_->second.unsent : nullptr; }

    const boost::asio::ip::address peer;

   private:
    friend Clients;
    struct Leave {
      Clients* clients;
      void operator()(NamedClient* client) const { clients->leave(client); }
    };
    Seat(boost::asio::ip::address address, Clients* clients, NamedClient* client)
        : peer(std::move(address)), client_(client, Leave{clients}) {}

    std::unique_ptr<NamedClient, Leave> client_;  // null: the client has no limits
  };

  // Sets both limits, also of clients that are there. Connections stay.
  void set(std::size_t max_connections, std::size_t max_unsent);

  // Absent: the client has reached its number of connections.
  std::optional<Seat> enter(const boost::asio::ip::address& peer);

 private:
  void leave(NamedClient* client);

  const std::vector<Network> trusted_;
  std::mutex mutex_;
  std::size_t max_connections_;  // this and what follows are guarded by mutex_
  std::size_t max_unsent_;
  ByName clients_;  // only those with connections
};

}  // namespace quire::http
