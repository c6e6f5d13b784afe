// How much of the server each client uses: its connections, and the bytes that wait for it.
#pragma once

#include <prometheus/gauge.h>

#include <atomic>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quire/result.h"

namespace quire::http {

// How a client is named where its use is counted: an IPv4 address, or an IPv6 network of 64 bits.
std::string client_name(const boost::asio::ip::address& address);

// The client of this name, as turns know it (loop/turns.h); 0 for an empty name.
std::uint64_t client_number(const std::string& name);

// A number of bytes that all clients share, of which each may have an eighth. Thread-safe.
class Budget {
 public:
  // `gauge` shows the bytes taken in /metrics; may be null.
  explicit Budget(std::size_t max, prometheus::Gauge* gauge = nullptr) : max_(max), gauge_(gauge) {}

  // Bytes that are taken already stay so.
  void set_max(std::size_t max) { max_.store(max, std::memory_order_relaxed); }

  // Does not reserve the bytes: threads that ask at the same moment may together exceed the bound.
  // An empty name has no share: it is a trusted proxy, which brings many clients.
  bool has_room(const std::string& client, std::size_t bytes) const;
  std::size_t taken() const { return taken_.load(std::memory_order_relaxed); }
  std::size_t taken_by(const std::string& client) const;

  // Holds bytes of the budget for a client while it lives. The budget must outlive it.
  class Hold {
   public:
    Hold() = default;
    Hold(Budget& budget, std::string client, std::size_t bytes = 0)
        : budget_(&budget), client_(std::move(client)) {
      add(bytes);
    }
    Hold(Hold&& other) noexcept { swap(other); }
    Hold& operator=(Hold&& other) noexcept {
      Hold(std::move(other)).swap(*this);
      return *this;
    }
    ~Hold() {
      if (budget_) budget_->give_back(client_, bytes_);
    }

    // Takes more bytes until it holds so many. False: the budget has no room for them, and the hold
    // is as it was.
    bool grow(std::size_t bytes) {
      if (bytes <= bytes_) return true;
      if (!budget_->has_room(client_, bytes - bytes_)) return false;
      add(bytes - bytes_);
      return true;
    }

   private:
    void add(std::size_t bytes) {
      budget_->take(client_, bytes);
      bytes_ += bytes;
    }
    void swap(Hold& other) {
      std::swap(budget_, other.budget_);
      std::swap(client_, other.client_);
      std::swap(bytes_, other.bytes_);
    }

    Budget* budget_ = nullptr;
    std::string client_;
    std::size_t bytes_ = 0;
  };

 private:
  static constexpr std::size_t shares = 8;

  void take(const std::string& client, std::size_t bytes);
  void give_back(const std::string& client, std::size_t bytes);

  std::atomic<std::size_t> max_;
  prometheus::Gauge* const gauge_;
  std::atomic<std::size_t> taken_ = 0;
  mutable std::mutex mutex_;
  // Guarded by mutex_; only clients that have taken some.
  std::unordered_map<std::string, std::size_t> by_client_;
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

// How many connections each client has. Thread-safe.
class Clients {
 private:
  using ByName = std::unordered_map<std::string, std::size_t>;
  using NamedClient = ByName::value_type;  // keeps its address while others are added and removed

 public:
  // The limit does not apply to trusted proxies, because each brings many clients.
  Clients(std::size_t max_connections, std::vector<Network> trusted)
      : trusted_(std::move(trusted)), max_connections_(max_connections) {}

  // Counts one connection of a client while it lives. The Clients must outlive it.
  class Seat {
   public:
    const boost::asio::ip::address peer;

   private:
    friend Clients;
    struct Leave {
      Clients* clients;
      void operator()(NamedClient* client) const { clients->leave(client); }
    };
    Seat(boost::asio::ip::address address, Clients* clients, NamedClient* client)
        : peer(std::move(address)), client_(client, Leave{clients}) {}

    std::unique_ptr<NamedClient, Leave> client_;  // null: the client has no limit
  };

  // Also for clients that are there. Connections stay.
  void set_max(std::size_t connections);

  // Absent: the client has reached its number of connections.
  std::optional<Seat> enter(const boost::asio::ip::address& peer);

 private:
  void leave(NamedClient* client);

  const std::vector<Network> trusted_;
  std::mutex mutex_;
  std::size_t max_connections_;  // this and what follows are guarded by mutex_
  ByName clients_;               // only those with connections
};

}  // namespace quire::http
