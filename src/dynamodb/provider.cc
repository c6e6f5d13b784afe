#include "dynamodb/provider.h"

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/url.hpp>

namespace quire::dynamodb {
namespace {

constexpr std::chrono::seconds source_timeout{2};
constexpr std::chrono::milliseconds poll_interval{20};
constexpr std::uint64_t pause_ms = 10'000;

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

}  // namespace

bool Provider::valid() const {
  return held_ && (held_->expires_ms == 0 || sources_.now_ms() < held_->expires_ms);
}

Awaitable<std::optional<Credentials>> Provider::get(bool renew) {
  if (renew) held_.reset();
  bool fresh = valid() && !ageing(*held_, sources_.now_ms());
  if (fresh || (valid() && (fetching_ || sources_.now_ms() < not_before_ms_))) co_return held_;
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
  while (fetching_) {
    timer.expires_after(poll_interval);
    co_await timer.async_wait(boost::asio::use_awaitable);
  }
  if (valid() && !ageing(*held_, sources_.now_ms())) co_return held_;
  if (!valid() && sources_.now_ms() < not_before_ms_) co_return std::nullopt;
  struct Fetching {
    bool& flag;
    explicit Fetching(bool& flag) : flag(flag) { flag = true; }
    ~Fetching() { flag = false; }
  } fetching(fetching_);
  auto found = co_await fetch();
  if (found) held_ = std::move(found);
  if (!valid() || ageing(*held_, sources_.now_ms())) not_before_ms_ = sources_.now_ms() + pause_ms;
  if (!valid()) co_return std::nullopt;
  co_return held_;
}

Awaitable<std::optional<Credentials>> Provider::fetch() {
  if (!profile_.empty()) co_return shared(profile_);
  auto found = credentials_of(sources_.environment);
  if (found) co_return found;
  std::string named = sources_.environment("AWS_PROFILE");
  found = shared(named.empty() ? "default" : named);
  if (found) co_return found;
  found = co_await container();
  if (found) co_return found;
  co_return co_await instance();
}

std::optional<Credentials> Provider::shared(const std::string& profile) {
  const auto& environment = sources_.environment;
  auto path = [&](const char* variable, const char* usual) {
    std::string named = environment(variable);
    return named.empty() ? environment("HOME") + usual : named;
  };
  for (const auto& file : {path("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials"),
                           path("AWS_CONFIG_FILE", "/.aws/config")}) {
    auto text = sources_.read_file(file);
    auto found = text ? credentials_of_profile(*text, profile) : std::nullopt;
    if (found) return found;
  }
  return {};
}

// https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
Awaitable<std::optional<Credentials>> Provider::container() {
  const auto& environment = sources_.environment;
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
  if (!file.empty()) token = sources_.read_file(file).value_or("");
  token.erase(token.find_last_not_of("\r\n") + 1);
  if (token.find_first_of("\r\n") != token.npos) co_return std::nullopt;
  if (!token.empty()) message.headers.emplace_back("authorization", token);
  co_return credentials_of_answer(co_await ask(origin, std::move(message)));
}

// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
Awaitable<std::optional<Credentials>> Provider::instance() {
  if (sources_.environment("AWS_EC2_METADATA_DISABLED") == "true") co_return std::nullopt;
  Message session = get_of(metadata, "/latest/api/token");
  session.method = "PUT";
  session.headers.emplace_back("x-aws-ec2-metadata-token-ttl-seconds", "21600");
  std::string token = co_await ask(metadata, std::move(session));
  if (token.empty() || !is_plain(token)) co_return std::nullopt;
  std::string path = "/latest/meta-data/iam/security-credentials/";
  Message roles = get_of(metadata, path);
  roles.headers.emplace_back("x-aws-ec2-metadata-token", token);
  std::string role = co_await ask(metadata, std::move(roles));
  role = role.substr(0, role.find('\n'));
  if (role.empty() || !is_plain(role)) co_return std::nullopt;
  Message keys = get_of(metadata, path + role);
  keys.headers.emplace_back("x-aws-ec2-metadata-token", token);
  co_return credentials_of_answer(co_await ask(metadata, std::move(keys)));
}

// The body of a success; empty: there was none.
Awaitable<std::string> Provider::ask(Origin origin, Message message) {
  auto deadline = std::chrono::steady_clock::now() + source_timeout;
  auto exchanged = co_await sources_.exchange(std::move(origin), std::move(message), deadline);
  auto* reply = std::get_if<Reply>(&exchanged);
  co_return reply && reply->status == 200 ? std::move(reply->body) : std::string();
}

}  // namespace quire::dynamodb
