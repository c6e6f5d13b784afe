#include "page_index/redis/client/slots.h"

#include <algorithm>

#include "base/text.h"

namespace quire::redis {
namespace {

constexpr std::size_t max_host = 255;

// `host` may be empty, or "?" where the node does not know it.
std::optional<Endpoint> endpoint(std::string_view host, std::int64_t port, const Endpoint& asked) {
  if (port < 1 || port > 65'535 || host.size() > max_host) return {};
  bool unknown = host.empty() || host == "?";
  return Endpoint{unknown ? asked.host : std::string(host), std::to_string(port)};
}

// A host, a port, and more that does not matter here.
std::optional<Endpoint> endpoint_of(const Reply& node, const Endpoint& asked) {
  if (node.list.size() < 2 || !node.list[1].is(Reply::Kind::number)) return {};
  const auto& host = node.list[0];
  if (!host.is(Reply::Kind::bytes) && !host.is(Reply::Kind::nothing)) return {};
  return endpoint(host.bytes, node.list[1].number, asked);
}

}  // namespace

std::uint16_t crc16(std::string_view bytes) {
  std::uint16_t crc = 0;
  for (unsigned char byte : bytes) {
    crc ^= static_cast<std::uint16_t>(byte << 8);
    for (int bit = 0; bit < 8; ++bit)
      crc = static_cast<std::uint16_t>(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
  }
  return crc;
}

std::uint16_t slot_of(std::string_view key) {
  auto open = key.find('{');
  auto close = open == key.npos ? key.npos : key.find('}', open);
  if (close != key.npos && close > open + 1) key = key.substr(open + 1, close - open - 1);
  return crc16(key) % slot_count;
}

// A list of ranges: first and last slot, the primary, its replicas.
std::optional<SlotMap> SlotMap::parse(const Reply& reply, const Endpoint& asked) {
  SlotMap map;
  if (!reply.is(Reply::Kind::list)) return {};
  for (const auto& range : reply.list) {
    if (range.list.size() < 3) return {};
    const auto &first = range.list[0], &last = range.list[1];
    bool slots = first.is(Reply::Kind::number) && last.is(Reply::Kind::number) &&
                 first.number >= 0 && first.number <= last.number &&
                 last.number < static_cast<std::int64_t>(slot_count);
    auto where = endpoint_of(range.list[2], asked);
    if (!slots || !where) return {};
    auto number = map.number_of(*where);
    if (number == 0) return {};
    map.nodes_[number - 1u].replicated |= range.list.size() > 3;
    for (auto slot = first.number; slot <= last.number; ++slot)
      map.served_by_[static_cast<std::size_t>(slot)] = number;
  }
  return map;
}

const SlotMap::Node* SlotMap::at(std::uint16_t slot) const {
  auto number = served_by_[slot % slot_count];
  return number == 0 ? nullptr : &nodes_[number - 1u];
}

void SlotMap::move(std::uint16_t slot, const Endpoint& to) {
  if (auto number = number_of(to)) served_by_[slot % slot_count] = number;
}

// 0: there are too many nodes.
std::uint16_t SlotMap::number_of(const Endpoint& where) {
  auto found = std::find_if(nodes_.begin(), nodes_.end(),
                            [&](const Node& node) { return node.where == where; });
  if (found != nodes_.end()) return static_cast<std::uint16_t>(found - nodes_.begin() + 1);
  if (nodes_.size() == max_nodes) return 0;
  nodes_.push_back({where});
  return static_cast<std::uint16_t>(nodes_.size());
}

// "MOVED 3999 127.0.0.1:6381". A host may have colons itself.
std::optional<Redirection> redirection_of(std::string_view refusal, const Endpoint& asked) {
  bool ask = refusal.starts_with("ASK "), moved = refusal.starts_with("MOVED ");
  if (!ask && !moved) return {};
  refusal.remove_prefix(ask ? 4 : 6);
  auto space = refusal.find(' '), colon = refusal.rfind(':');
  if (space == refusal.npos || colon == refusal.npos || colon < space) return {};
  auto slot = parse_integer<std::uint16_t>(refusal.substr(0, space));
  auto port = parse_integer<std::uint16_t>(refusal.substr(colon + 1));
  if (!slot || *slot >= slot_count || !port) return {};
  auto where = endpoint(refusal.substr(space + 1, colon - space - 1), *port, asked);
  if (!where) return {};
  return Redirection{ask, *slot, std::move(*where)};
}

bool passes(std::string_view refusal) {
  constexpr std::array<std::string_view, 5> codes{"TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN",
                                                  "LOADING", "READONLY"};
  return std::any_of(codes.begin(), codes.end(),
                     [&](std::string_view code) { return refusal.starts_with(code); });
}

}  // namespace quire::redis
