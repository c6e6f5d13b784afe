#include "http/server/clients.h"

#include <algorithm>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/beast/core/string.hpp>
#include <charconv>
#include <cstring>
#include <string_view>

#include "http/accept.h"

namespace quire::http {
namespace {

using Address = boost::asio::ip::address;
namespace ip = boost::asio::ip;

// "192.0.2.1", "192.0.2.1:80", "[2001:db8::1]:80", "2001:db8::1", any of them in quotes.
std::optional<Address> parse_node(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  if (text.starts_with('[')) {
    text = text.substr(1, text.find(']') - 1);
  } else if (std::count(text.begin(), text.end(), ':') == 1) {
    text = text.substr(0, text.find(':'));
  }
  boost::system::error_code failed;
  auto address = ip::make_address(std::string(text), failed);
  if (failed) return {};
  return plain(address);
}

std::string_view for_parameter(std::string_view element) {
  while (!element.empty()) {
    auto pair = take(element, ';');
    if (pair.size() > 4 && boost::beast::iequals(pair.substr(0, 4), "for=")) return pair.substr(4);
  }
  return {};
}

// The elements of all lines of this header, in order.
std::vector<std::string_view> elements(const boost::beast::http::fields& headers,
                                       std::string_view name) {
  std::vector<std::string_view> out;
  auto [from, to] = headers.equal_range(name);
  for (; from != to; ++from) {
    for (std::string_view line = from->value(); !line.empty();) {
      auto element = take(line, ',');
      if (!element.empty()) out.push_back(element);
    }
  }
  return out;
}

// From the right, the first address that is no trusted proxy.
Address outermost(Address client, const std::vector<std::string_view>& hops,
                  const std::vector<Network>& trusted) {
  for (auto hop = hops.rbegin(); hop != hops.rend() && trusts(trusted, client); ++hop) {
    auto address = parse_node(*hop);
    if (!address) break;  // "unknown" or hidden: elements further left cannot be believed
    client = *address;
  }
  return client;
}

}  // namespace

std::string client_name(const Address& address) {
  if (address.is_v4()) {
    auto bytes = address.to_v4().to_bytes();
    return std::string(bytes.begin(), bytes.end());
  }
  auto bytes = address.to_v6().to_bytes();
  return std::string(bytes.begin(), bytes.begin() + 8);  // a client can use any address of its /64
}

std::uint64_t client_number(const std::string& name) {
  std::uint64_t number = 0;
  std::memcpy(&number, name.data(), std::min(name.size(), sizeof number));
  return name.empty() ? 0 : std::max<std::uint64_t>(number, 1);
}

bool Budget::has_room(const std::string& client, std::size_t bytes) const {
  auto max = max_.load(std::memory_order_relaxed);
  return taken() + bytes <= max && (client.empty() || taken_by(client) + bytes <= max / shares);
}

std::size_t Budget::taken_by(const std::string& client) const {
  if (taken() == 0) return 0;
  std::lock_guard lock(mutex_);
  auto known = by_client_.find(client);
  return known == by_client_.end() ? 0 : known->second;
}

void Budget::take(const std::string& client, std::size_t bytes) {
  if (bytes == 0) return;
  taken_ += bytes;
  if (gauge_) gauge_->Increment(static_cast<double>(bytes));
  if (client.empty()) return;
  std::lock_guard lock(mutex_);
  by_client_[client] += bytes;
}

void Budget::give_back(const std::string& client, std::size_t bytes) {
  if (bytes == 0) return;
  taken_ -= bytes;
  if (gauge_) gauge_->Decrement(static_cast<double>(bytes));
  if (client.empty()) return;
  std::lock_guard lock(mutex_);
  auto known = by_client_.find(client);
  if ((known->second -= bytes) == 0) by_client_.erase(known);
}

void Clients::set_max(std::size_t connections) {
  std::lock_guard lock(mutex_);
  max_connections_ = connections;
}

std::optional<Clients::Seat> Clients::enter(const Address& peer) {
  auto address = plain(peer);
  if (trusts(trusted_, address)) return Seat(address, nullptr, nullptr);
  std::lock_guard lock(mutex_);
  auto& client = *clients_.try_emplace(client_name(address), 0).first;
  if (client.second >= max_connections_) return {};
  ++client.second;
  return Seat(address, this, &client);
}

void Clients::leave(NamedClient* client) {
  std::lock_guard lock(mutex_);
  if (--client->second == 0) clients_.erase(clients_.find(client->first));
}

Address plain(const Address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  }
  return address;
}

bool trusts(const std::vector<Network>& trusted, const Address& address) {
  return std::any_of(trusted.begin(), trusted.end(),
                     [&](const Network& network) { return network.contains(address); });
}

Result<Network> Network::parse(const std::string& text) {
  auto slash = text.find('/');
  boost::system::error_code failed;
  auto address = ip::make_address(text.substr(0, slash), failed);
  unsigned widest = address.is_v4() ? 32 : 128;
  unsigned prefix = widest;
  if (!failed && slash != text.npos) {
    const char* end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data() + slash + 1, end, prefix);
    if (error != std::errc{} || stop != end || prefix > widest)
      failed = boost::asio::error::invalid_argument;
  }
  if (failed) {
    return Error{ErrorCode::invalid_parameter,
                 "\"" + text + "\" is no address or network, such as 10.0.0.0/8.", "trusted-proxy"};
  }
  if (address.is_v6() && address.to_v6().is_v4_mapped() && prefix >= 96)
    return Network{plain(address), prefix - 96};
  return Network{address, prefix};
}

bool Network::contains(const Address& other) const {
  if (address.is_v4() != other.is_v4()) return false;
  auto length = static_cast<unsigned short>(prefix);
  auto four = [&](const Address& each) { return ip::network_v4(each.to_v4(), length).network(); };
  // Its bytes, because an address's scope does not count.
  auto six = [&](const Address& each) {
    return ip::network_v6(each.to_v6(), length).network().to_bytes();
  };
  return address.is_v4() ? four(address) == four(other) : six(address) == six(other);
}

Address client_address(const Address& peer, const boost::beast::http::fields& headers,
                       const std::vector<Network>& trusted) {
  Address proxy = plain(peer);
  if (!trusts(trusted, proxy)) return proxy;
  auto standard = elements(headers, "Forwarded");
  for (auto& element : standard) element = for_parameter(element);
  auto usual = elements(headers, "X-Forwarded-For");
  if (standard.empty()) return outermost(proxy, usual, trusted);
  if (usual.empty()) return outermost(proxy, standard, trusted);
  // A proxy that writes one header passes the other on as the client made it up.
  Address client = outermost(proxy, standard, trusted);
  return client == outermost(proxy, usual, trusted) ? client : proxy;
}

}  // namespace quire::http
