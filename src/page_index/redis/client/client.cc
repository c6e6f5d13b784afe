#include "page_index/redis/client/client.h"

#include <algorithm>

#include "page_index/redis/client/reply.h"

namespace quire::redis {

Result<Reply> accepted(Result<Reply> reply) {
  if (reply && reply->is(Reply::Kind::refusal)) return refused(reply->bytes);
  return reply;
}

namespace {

namespace ssl = boost::asio::ssl;
using Clock = std::chrono::steady_clock;

bool unknown_script(const Result<Reply>& reply) {
  return reply && reply->is(Reply::Kind::refusal) && reply->bytes.starts_with("NOSCRIPT");
}

}  // namespace

Client::Client(boost::asio::io_context& context, RedisAddress address)
    : context_(context),
      tls_(ssl::context::tls_client),
      address_(std::move(address)),
      gate_(context, max_unanswered, max_waiting) {
  if (!address_.tls) return;
  tls_.set_default_verify_paths();
  tls_.set_verify_mode(ssl::verify_peer);
}

Client::~Client() {
  for (const auto& each : connections_) each->close(broken("the page index is closed"));
}

Awaitable<Result<Reply>> Client::call(Call call) {
  auto reply = co_await answer(call, Clock::now() + call.timeout(), {});
  co_return accepted(std::move(reply));
}

Awaitable<Result<Reply>> Client::ask(std::string request, Milliseconds timeout) {
  auto reply = co_await answer(std::move(request), Clock::now() + timeout, {});
  co_return accepted(std::move(reply));
}

Awaitable<Result<Reply>> Client::answer(const Call& call, Deadline deadline, Manner manner) {
  auto reply = co_await answer(call.by_name(), deadline, manner);
  if (unknown_script(reply)) reply = co_await answer(call.in_full(), deadline, manner);
  co_return reply;
}

Awaitable<Result<Reply>> Client::answer(std::string request, Deadline deadline, Manner manner) {
  auto pass = co_await gate_.enter(deadline);
  if (!pass) co_return broken("too many requests wait for it");
  auto chosen = connection();
  if (!chosen) co_return *failed_;
  std::size_t replies = 1;
  if (manner.asking) {
    request.insert(0, "*1\r\n$6\r\nASKING\r\n");
    replies = 2;
  }
  auto reply = co_await chosen->ask(std::move(request), deadline, replies);
  if (reply) connected_at_ = std::max(connected_at_, chosen->opened_at());
  bool done = reply && !reply->is(Reply::Kind::refusal);
  if (done && manner.replicated) co_await wait_for_replica(*chosen);
  co_return reply;
}

// A replica that lags, or is away, would hold up each write: so none is waited for, for a while.
Awaitable<void> Client::wait_for_replica(Connection& connection) {
  auto hopeless = [this] { return Clock::now() < no_replica_until_; };
  auto has = co_await connection.replicated(replica_timeout, hopeless);
  if (!has && !hopeless()) no_replica_until_ = Clock::now() + without_replica;
}

// The least busy connection; a new one if all are busy. nullptr: the last attempt failed just now.
std::shared_ptr<Connection> Client::connection() {
  drop_broken();
  auto least = std::min_element(
      connections_.begin(), connections_.end(),
      [](const auto& a, const auto& b) { return a->unanswered() < b->unanswered(); });
  bool none = least == connections_.end();
  bool wanted = none || ((*least)->unanswered() > 0 && connections_.size() < max_connections);
  if (wanted && Clock::now() >= not_before_) {
    auto* tls = address_.tls ? &tls_ : nullptr;
    connections_.push_back(std::make_shared<Connection>(context_, tls, address_));
    connections_.back()->open();
    return connections_.back();
  }
  if (none) return {};
  return *least;
}

void Client::drop_broken() {
  std::erase_if(connections_, [&](const auto& each) {
    if (!each->broken()) return false;
    if (!each->opened()) {
      failed_ = *each->broken();
      not_before_ = each->broken_at() + pause;
    }
    return true;
  });
}

}  // namespace quire::redis
