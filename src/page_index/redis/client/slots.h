// The slots of a Redis Cluster: which a key is in, and which node serves it. Pure.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "page_index/redis/client/reply.h"

namespace quire::redis {

inline constexpr std::size_t slot_count = 16'384;
inline constexpr std::size_t max_nodes = 1024;  // more are not believed

// CRC-16 as Redis computes slots by it (XMODEM: polynomial 0x1021, begins with 0).
std::uint16_t crc16(std::string_view bytes);

// The slot of a key: of its text in braces, if it has some, so keys of equal braces are together.
std::uint16_t slot_of(std::string_view key);

struct Endpoint {
  std::string host, port;
  auto operator<=>(const Endpoint&) const = default;
};

class SlotMap {
 public:
  struct Node {
    Endpoint where;
    bool replicated = false;  // has a replica
  };

  // Reads the reply to CLUSTER SLOTS. A node without a host is on the host of the node that was
  // asked. Absent: it is no such reply.
  static std::optional<SlotMap> parse(const Reply& reply, const Endpoint& asked);

  const std::vector<Node>& nodes() const { return nodes_; }  // primaries
  // The node that serves the slot; null: none does.
  const Node* at(std::uint16_t slot) const;
  void move(std::uint16_t slot, const Endpoint& to);

 private:
  std::uint16_t number_of(const Endpoint& where);

  std::vector<Node> nodes_;
  std::array<std::uint16_t, slot_count> served_by_{};  // 0: by none; else the index of a node, + 1
};

// A refusal that names another node: MOVED, for good; ASK, for this request.
struct Redirection {
  bool ask;
  std::uint16_t slot;
  Endpoint to;
};
// Absent: the refusal is another.
std::optional<Redirection> redirection_of(std::string_view refusal, const Endpoint& asked);

// Whether a node of a cluster would take the request a moment later, it or another.
bool passes(std::string_view refusal);

}  // namespace quire::redis
