// Sends requests to the node of a Redis Cluster that serves their keys; or to the one server, where
// there is no cluster. Finds out by itself which it is, and follows slots that move.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "page_index/redis/client/connection.h"
#include "page_index/redis/client/reply.h"
#include "page_index/redis/client/slots.h"

namespace quire::redis {

// Sends requests to one Redis over a few connections, which it keeps open and replaces when they
// break. Made and destroyed on one loop; not thread-safe.
class NodeClient {
 public:
  static constexpr std::size_t max_connections = 4;
  static constexpr std::size_t max_unanswered = 1024;
  static constexpr std::size_t max_waiting = 4096;
  // The time between two attempts to connect, after a failure.
  static constexpr std::chrono::milliseconds pause{500};
  // How long a write waits for a replica; and how long none is waited for after one was too late.
  static constexpr Milliseconds replica_timeout{200};
  static constexpr Milliseconds without_replica{10'000};

  NodeClient(boost::asio::io_context& context, RedisAddress address);
  ~NodeClient();
  NodeClient(const NodeClient&) = delete;
  NodeClient& operator=(const NodeClient&) = delete;

  // How a node of a cluster is asked.
  struct AskOptions {
    bool asking = false;      // for keys of a slot that moves to this node
    bool replicated = false;  // a replica should have the write before the reply is returned
  };
  // The reply may be a refusal. unavailable: there is no reply, and it is unknown whether Redis ran
  // the request. `call` must live until then.
  Awaitable<Result<Reply>> answer(const Call& call, Deadline deadline, AskOptions options);
  Awaitable<Result<Reply>> answer(std::string request, Deadline deadline, AskOptions options);

  // When the youngest of the connections that gave a reply was opened.
  Deadline connected_at() const { return connected_at_; }

 private:
  Awaitable<void> wait_for_replica(Connection& connection);
  std::shared_ptr<Connection> connection();
  void drop_broken();

  boost::asio::io_context& context_;
  boost::asio::ssl::context tls_;
  RedisAddress address_;
  Gate gate_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::optional<Error> failed_;  // why the last attempt to connect failed
  Deadline not_before_;
  Deadline no_replica_until_;
  Deadline connected_at_;
};

// A refusal as an error.
Result<Reply> accepted(Result<Reply> reply);

// Made, used and destroyed on one loop; not thread-safe.
class Cluster {
 public:
  // The first pause before a request is repeated; each is twice the one before, up to the last.
  static constexpr Milliseconds first_pause{10}, last_pause{200};
  // Between two questions for the map of slots; and how long a node may take to answer one.
  static constexpr Milliseconds between_maps{100}, map_timeout{1'000};

  // `address`: of the server, or of any node; other nodes take the same user and password.
  Cluster(boost::asio::io_context& context, RedisAddress address);

  // The reply, never a refusal. All keys are in one slot. A request that no node ran is repeated
  // until its deadline. Without a reply it is unknown whether it ran, so it is not repeated:
  // unavailable. What a call writes a replica has when it ends, if there is one that answers soon.
  Awaitable<Result<Reply>> call(Call call, Deadline deadline);
  // When the connection was opened that gave the last reply for this key, or one to the same node
  // after it. A node that came back has a later one.
  Deadline connected_at(const std::string& key);
  // The map may be old, though no node said so.
  void doubt_map() { stale_ = kind_ == Kind::cluster; }

 private:
  struct Target {
    Endpoint where;
    NodeClient::AskOptions options;
  };

  Target target(std::uint16_t slot, bool writes) const;
  bool repeats(const Reply& reply, const Endpoint& asked, std::optional<Endpoint>& ask);
  Awaitable<Status> know(Deadline deadline);
  Awaitable<Status> look(Deadline deadline);
  Awaitable<Status> look_at(Endpoint where, Deadline deadline);
  std::shared_ptr<NodeClient> node(const Endpoint& where);
  Endpoint given() const { return {address_.host, address_.port}; }

  boost::asio::io_context& context_;
  RedisAddress address_;
  std::map<Endpoint, std::shared_ptr<NodeClient>> nodes_;
  enum class Kind { unknown, server, cluster } kind_ = Kind::unknown;
  SlotMap map_;
  bool stale_ = false;      // the map may be old
  bool looking_ = false;    // for a map
  std::size_t looked_ = 0;  // at so many nodes, for maps
  Endpoint silent_;         // the node that failed to answer last
  Deadline not_before_;
};

}  // namespace quire::redis
