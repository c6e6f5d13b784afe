// To which addresses no webhook goes, unless the operator lets it: those of this machine, of its
// networks, and those that lead to no public host. Else whoever writes the shop file, or owns a
// name in it, could have the server ask programs that trust its network.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quire::webhook {

// Which kind of network keeps webhooks from this address, such as "loopback". Empty: it is of the
// public internet. `address`: 4 bytes of IPv4 or 16 of IPv6, in the order of the network. An IPv6
// address that stands for an IPv4 address is judged as that one. Static storage. Thread-safe.
std::string_view inner_network(std::span<const std::uint8_t> address);

}  // namespace quire::webhook
