// A real Redis Cluster for tests: three primaries with a replica each, on free ports.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>

#include "page_index/redis/client/slots.h"
#include "page_index/redis/raw_client.h"

namespace quire::redis {

class RedisCluster {
 public:
  static constexpr std::size_t primaries = 3;

  // Returns when every slot is served, and each primary has its replica.
  RedisCluster() {
    for (std::size_t i = 0; i < 2 * primaries; ++i) nodes_.push_back(std::make_unique<Node>());
    join();
    for (std::size_t i = primaries; i < nodes_.size(); ++i)
      until_ok(i, {"CLUSTER", "REPLICATE", id(i - primaries)});
    wait_until_whole();
  }
  RedisCluster(const RedisCluster&) = delete;

  void wait_until_whole() {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      until("each node knows all", [&] { return knows_all(i) && in_step(i); });
  }

  RedisServer& server(std::size_t i) { return nodes_.at(i)->server; }
  RedisAddress address(std::size_t i) { return address_of(server(i)); }
  Result<Reply> ask(std::size_t i, const std::vector<std::string>& words) {
    return nodes_.at(i)->ask({words.begin(), words.end()});
  }

  // The number of the node that serves a slot, as node `asked` knows it.
  std::size_t primary_of(std::uint16_t slot, std::size_t asked = 0) {
    auto map = map_of(asked);
    for (std::size_t i = 0; map && map->at(slot) && i < nodes_.size(); ++i) {
      if (map->at(slot)->where.port == server(i).port()) return i;
    }
    throw std::runtime_error("no node serves the slot");
  }

  // Moves a slot with its keys, a few at a time, as redis-cli does. Calls `last` when all keys are
  // moved, and the slot is not.
  void move(
      std::uint16_t slot, std::size_t from, std::size_t to,
      const std::function<void()>& last = [] {}) {
    auto number = std::to_string(slot);
    until_ok(to, {"CLUSTER", "SETSLOT", number, "IMPORTING", id(from)});
    until_ok(from, {"CLUSTER", "SETSLOT", number, "MIGRATING", id(to)});
    for (;;) {
      auto keys = ask(from, {"CLUSTER", "GETKEYSINSLOT", number, "10"});
      if (!keys) throw std::runtime_error(keys.error().message);
      if (keys->list.empty()) break;
      std::vector<std::string> words{"MIGRATE", "127.0.0.1", server(to).port(), "", "0",
                                     "5000",    "KEYS"};
      for (const auto& key : keys->list) words.push_back(key.bytes);
      until_ok(from, words);
    }
    last();
    for (auto node : {to, from}) until_ok(node, {"CLUSTER", "SETSLOT", number, "NODE", id(to)});
  }

  // How many requests a node refused with this code.
  std::size_t refused(std::size_t i, const std::string& code) {
    auto info = ask(i, {"INFO", "errorstats"});
    auto at = info ? info->bytes.find("errorstat_" + code + ":count=") : std::string::npos;
    return at == std::string::npos ? 0
                                   : std::stoul(info->bytes.substr(info->bytes.find('=', at) + 1));
  }

 private:
  struct Node {
    std::string bus = free_port();
    RedisServer server{{"--cluster-enabled", "yes", "--cluster-port", bus, "--cluster-node-timeout",
                        "1500", "--cluster-replica-validity-factor", "0",
                        "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"}};
    RawClient ask{server};
  };

  void join() {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      until_ok(i, {"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)});
    for (std::size_t i = 0; i < primaries; ++i) {
      auto first = slot_count * i / primaries, end = slot_count * (i + 1) / primaries;
      until_ok(i, {"CLUSTER", "ADDSLOTSRANGE", std::to_string(first), std::to_string(end - 1)});
    }
    for (std::size_t i = 1; i < nodes_.size(); ++i)
      until_ok(0, {"CLUSTER", "MEET", "127.0.0.1", server(i).port(), nodes_[i]->bus});
  }

  std::string id(std::size_t i) { return ask(i, {"CLUSTER", "MYID"})->bytes; }

  std::optional<SlotMap> map_of(std::size_t i) {
    auto reply = ask(i, {"CLUSTER", "SLOTS"});
    return reply ? SlotMap::parse(*reply, {"127.0.0.1", server(i).port()}) : std::nullopt;
  }

  bool knows_all(std::size_t i) {
    auto map = map_of(i);
    if (!map || map->nodes().size() != primaries) return false;
    for (const auto& node : map->nodes()) {
      if (!node.replicated) return false;
    }
    return told(i, {"CLUSTER", "INFO"}, "cluster_state:ok");
  }

  bool in_step(std::size_t i) {
    std::vector<std::string> words{"INFO", "replication"};
    return told(i, words, "role:master") || told(i, words, "link_status:up");
  }

  bool told(std::size_t i, const std::vector<std::string>& words, const std::string& wanted) {
    auto reply = ask(i, words);
    return reply && reply->bytes.find(wanted) != std::string::npos;
  }
  void until_ok(std::size_t i, const std::vector<std::string>& words) {
    until(words[0] + " " + words[1], [&] { return ask(i, words).ok(); });
  }
  template <class Ask>
  void until(const std::string& what, Ask ask) {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!ask()) {
      if (std::chrono::steady_clock::now() > deadline)
        throw std::runtime_error("the cluster of the test: not in time: " + what);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace quire::redis
