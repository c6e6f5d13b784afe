#include "webhook/courier/receiver.h"

#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/web_address.h"
#include "webhook/network.h"

namespace quire::webhook {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t max_answer = 1 << 20;  // of which nothing is read

class InnerAddress : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "quire.webhook"; }
  std::string message(int) const override {
    return "it is at an address of this machine or its networks, where webhooks go with private = "
           "true alone";
  }
};

error_code inner_address() {
  static const InnerAddress category;
  return {1, category};
}

bool is_public(const asio::ip::address& address) {
  if (address.is_v4()) return inner_network(address.to_v4().to_bytes()).empty();
  return inner_network(address.to_v6().to_bytes()).empty();
}

AddressLookup::Ask judged(AddressLookup::Ask ask) {
  return [ask = std::move(ask)]() -> Awaitable<AddressLookup::Resolved> {
    auto [failed, all] = co_await ask();
    if (failed) co_return AddressLookup::Resolved{failed, {}};
    std::vector<tcp::endpoint> allowed;
    for (const auto& each : all)
      if (is_public(each.endpoint().address())) allowed.push_back(each.endpoint());
    if (allowed.empty()) co_return AddressLookup::Resolved{inner_address(), {}};
    co_return AddressLookup::Resolved{
        {}, AddressLookup::Addresses::create(allowed.begin(), allowed.end(), {}, {})};
  };
}

HttpOrigin origin_of(const Webhook& webhook) {
  auto address = *parse_web_address(webhook.url);
  std::string port(address.port);
  if (port.empty()) port = address.secure ? "443" : "80";
  return {address.secure, std::string(address.host), std::move(port)};
}

AddressLookup::Ask lookup_of(const Webhook& webhook, AddressLookup::Ask lookup) {
  if (!lookup) {
    auto origin = origin_of(webhook);
    if (origin.host.starts_with('[')) origin.host = origin.host.substr(1, origin.host.size() - 2);
    lookup = system_lookup(std::move(origin.host), std::move(origin.port));
  }
  return webhook.private_network ? lookup : judged(std::move(lookup));
}

}  // namespace

Receiver::Receiver(asio::io_context& context, const Webhook& webhook, AddressLookup::Ask lookup)
    : client_(context, origin_of(webhook), max_answer, lookup_of(webhook, std::move(lookup))) {
  auto sent = as_sent(
      {.secure = true, .host = "h", .port = {}, .rest = parse_web_address(webhook.url)->rest});
  auto rest = sent.substr(std::string_view("https://h").size());
  path_ = rest.substr(0, rest.find('?'));
  if (path_.empty()) path_ = "/";
  if (auto query = rest.find('?'); query != rest.npos) query_ = rest.substr(query + 1);
}

Awaitable<Answer> Receiver::send(std::string id, std::string body, std::vector<Secret> secrets,
                                 std::uint64_t now_ms) {
  auto deadline = std::chrono::steady_clock::now() + patience;
  HttpRequest request{.path = path_, .query = query_};
  request.headers = {{"Content-Type", "application/json"},
                     {"User-Agent", "Quire/" QUIRE_VERSION},
                     {"webhook-id", id},
                     {"webhook-timestamp", std::to_string(now_ms / 1000)}};
  if (!secrets.empty())
    request.headers.emplace_back("webhook-signature", signatures(secrets, id, now_ms / 1000, body));
  request.body = std::move(body);
  request.status_alone = true;
  auto response = co_await client_.send(std::move(request), deadline);
  if (!response) co_return Answer{Outcome::failed, {}, in_one_line(response.error().message)};
  auto outcome = outcome_of(response->status);
  Answer answer{outcome, {}, fmt::format("it answered {}", response->status)};
  if (outcome == Outcome::busy) answer.rest = retry_after(response->header("Retry-After"), now_ms);
  co_return answer;
}

}  // namespace quire::webhook
