// Sends requests to the node of a Redis Cluster that serves their keys; or to the one server, where
// there is no cluster. Finds out by itself which it is, and follows slots that move.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "page_index/redis/client/client.h"
#include "page_index/redis/client/slots.h"

namespace quire::redis {

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
  Awaitable<Result<Reply>> call(Call call);
  // When the connection was opened that gave the last reply for this key, or one to the same node
  // after it. A node that came back has a later one.
  Deadline connected_at(const std::string& key);
  // The map may be old, though no node said so.
  void doubt_map() { stale_ = kind_ == Kind::cluster; }
  // `key`: one of the keys of the request.
  Awaitable<Result<Reply>> ask(std::string key, std::string request, Milliseconds timeout);

 private:
  // Sends the request to a node; the reply may be a refusal.
  using Deliver = std::function<Awaitable<Result<Reply>>(Client&, Client::Manner)>;
  struct Target {
    Endpoint where;
    Client::Manner manner;
  };

  Awaitable<Result<Reply>> deliver(std::uint16_t slot, Deadline deadline, bool writes,
                                   const Deliver& deliver);
  Target target(std::uint16_t slot, bool writes) const;
  bool repeats(const Reply& reply, const Endpoint& asked, std::optional<Endpoint>& ask);
  Awaitable<Status> know(Deadline deadline);
  Awaitable<Status> look(Deadline deadline);
  Awaitable<Status> look_at(Endpoint where, Deadline deadline);
  std::shared_ptr<Client> node(const Endpoint& where);
  Endpoint given() const { return {address_.host, address_.port}; }

  boost::asio::io_context& context_;
  RedisAddress address_;
  std::map<Endpoint, std::shared_ptr<Client>> nodes_;
  enum class Kind { unknown, server, cluster } kind_ = Kind::unknown;
  SlotMap map_;
  bool stale_ = false;      // the map may be old
  bool looking_ = false;    // for a map
  std::size_t looked_ = 0;  // at so many nodes, for maps
  Endpoint silent_;         // the node that failed to answer last
  Deadline not_before_;
};

}  // namespace quire::redis
