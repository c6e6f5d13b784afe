#include "dynamodb/credentials/hosts.h"

#include <boost/asio/ip/address_v4.hpp>
#include <boost/url.hpp>
#include <chrono>

#include "dynamodb/credentials/credentials.h"

namespace quire::dynamodb {
namespace {

constexpr std::chrono::seconds source_timeout{2};

const Origin containers{false, "169.254.170.2", "80"};
const Origin metadata{false, "169.254.169.254", "80"};

Message get_of(const Origin& origin, std::string path) {
  return {.method = "GET", .path = std::move(path), .headers = {{"host", origin.authority()}}};
}

// Credentials are sent without TLS only within this machine or its own network, to the addresses
// that the SDKs allow.
bool is_local(const std::string& host) {
  boost::system::error_code a_name;
  auto address = boost::asio::ip::make_address_v4(host, a_name);
  return host == "localhost" || (!a_name && address.is_loopback()) || host == "[::1]" ||
         host == containers.host || host == "169.254.170.23" || host == "[fd00:ec2::23]";
}

// The body of a success; empty: there was none.
Awaitable<std::string> ask(const CredentialSources& sources, Origin origin, Message message) {
  auto deadline = std::chrono::steady_clock::now() + source_timeout;
  auto exchanged = co_await sources.exchange(std::move(origin), std::move(message), deadline);
  auto* reply = std::get_if<Reply>(&exchanged);
  co_return reply && reply->status == 200 ? std::move(reply->body) : std::string();
}

}  // namespace

Awaitable<std::optional<Credentials>> container_credentials(const CredentialSources& sources) {
  const auto& environment = sources.environment;
  Origin origin = containers;
  std::string path = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  if (path.empty()) {
    std::string full = environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    auto url = boost::urls::parse_uri(full);
    if (!url) co_return std::nullopt;
    auto parsed = parse_origin(std::string(url->scheme()) + "://" +
                               std::string(url->encoded_host_and_port()));
    if (!parsed || !(parsed->tls || is_local(parsed->host))) co_return std::nullopt;
    origin = *parsed;
    path = url->encoded_path();
    if (path.empty()) path = "/";
    if (url->has_query()) path += "?" + std::string(url->encoded_query());
  }
  Message message = get_of(origin, path);
  std::string token = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  std::string file = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  if (!file.empty()) token = sources.read_file(file).value_or("");
  token.erase(token.find_last_not_of("\r\n") + 1);
  if (token.find_first_of("\r\n") != token.npos) co_return std::nullopt;
  if (!token.empty()) message.headers.emplace_back("authorization", token);
  co_return credentials_of_answer(co_await ask(sources, origin, std::move(message)));
}

Awaitable<std::optional<Credentials>> instance_credentials(const CredentialSources& sources) {
  if (sources.environment("AWS_EC2_METADATA_DISABLED") == "true") co_return std::nullopt;
  Message session = get_of(metadata, "/latest/api/token");
  session.method = "PUT";
  session.headers.emplace_back("x-aws-ec2-metadata-token-ttl-seconds", "21600");
  std::string token = co_await ask(sources, metadata, std::move(session));
  if (token.empty() || !is_plain(token)) co_return std::nullopt;
  std::string path = "/latest/meta-data/iam/security-credentials/";
  Message roles = get_of(metadata, path);
  roles.headers.emplace_back("x-aws-ec2-metadata-token", token);
  std::string role = co_await ask(sources, metadata, std::move(roles));
  role = role.substr(0, role.find('\n'));
  if (role.empty() || !is_plain(role)) co_return std::nullopt;
  Message keys = get_of(metadata, path + role);
  keys.headers.emplace_back("x-aws-ec2-metadata-token", token);
  co_return credentials_of_answer(co_await ask(sources, metadata, std::move(keys)));
}

}  // namespace quire::dynamodb
