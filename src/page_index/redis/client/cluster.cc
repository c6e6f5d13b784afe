#include "page_index/redis/client/cluster.h"

#include <algorithm>

#include "base/try.h"
#include "loop/gate.h"
#include "loop/loop.h"

namespace quire::redis {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int quick_repeats = 3;  // without a pause, where a node names another

namespace ssl = boost::asio::ssl;

bool unknown_script(const Result<Reply>& reply) {
  return reply && reply->is(Reply::Kind::refusal) && reply->bytes.starts_with("NOSCRIPT");
}

}  // namespace

Cluster::Cluster(boost::asio::io_context& context, RedisAddress address)
    : context_(context), address_(std::move(address)) {}

Awaitable<Result<Reply>> Cluster::call(Call call, Deadline deadline) {
  auto slot = slot_of(call.keys.front());
  std::optional<Endpoint> ask;  // a node that has the keys already, but not yet the slot
  Milliseconds rest = first_pause;
  for (int repeated = 0;; ++repeated) {
    CO_TRY_DONE(co_await know(deadline));
    auto to = target(slot, call.effect == Call::writes);
    to.options.asking = ask.has_value();
    if (ask) to.where = *std::exchange(ask, {});
    auto node = this->node(to.where);
    auto reply = co_await node->answer(call, deadline, to.options);
    if (!reply) {
      stale_ = kind_ == Kind::cluster;
      silent_ = to.where;
    }
    if (!reply || !repeats(*reply, to.where, ask)) co_return accepted(std::move(reply));
    if (Clock::now() + rest >= deadline) co_return accepted(std::move(reply));
    if (ask && repeated < quick_repeats) continue;
    co_await pause(rest);
    rest = std::min(2 * rest, last_pause);
  }
}

Deadline Cluster::connected_at(const std::string& key) {
  return node(target(slot_of(key), false).where)->connected_at();
}

// Where no node serves the slot, any node says so.
Cluster::Target Cluster::target(std::uint16_t slot, bool writes) const {
  const auto* node = kind_ == Kind::cluster ? map_.at(slot) : nullptr;
  if (!node) return {given(), {}};
  return {node->where, {.replicated = writes && node->replicated}};
}

// Whether the request is to be sent again; to `ask`, if that is given.
bool Cluster::repeats(const Reply& reply, const Endpoint& asked, std::optional<Endpoint>& ask) {
  if (!reply.is(Reply::Kind::refusal) || kind_ != Kind::cluster) return false;
  auto to = redirection_of(reply.bytes, asked);
  if (!to && !passes(reply.bytes)) return false;
  bool moves = to && to->ask;
  stale_ |= !moves && !reply.bytes.starts_with("TRYAGAIN");
  if (to && !to->ask) map_.move(to->slot, to->to);
  if (moves) ask = std::move(to->to);
  return true;
}

// Finds out whether there is a cluster, and reads its map where that may be old. One request looks
// at a time; the others go by the old map meanwhile, since most nodes are where they were.
Awaitable<Status> Cluster::know(Deadline deadline) {
  while (looking_) {
    if (kind_ != Kind::unknown) co_return Done{};
    if (Clock::now() >= deadline) co_return broken("it takes too long");
    co_await pause(first_pause);
  }
  bool due = kind_ == Kind::unknown || (stale_ && Clock::now() >= not_before_);
  if (!due) co_return Done{};
  BusyFlag looking(looking_);
  auto found = co_await look(deadline);
  not_before_ = Clock::now() + between_maps;
  // With an old map the request itself finds out what is wrong.
  if (!found && kind_ == Kind::unknown) co_return found;
  co_return Done{};
}

// Asks the address that was given, and the nodes that are known; each time another node first, and
// last the one that may be silent.
Awaitable<Status> Cluster::look(Deadline deadline) {
  std::vector<Endpoint> candidates;
  for (const auto& node : map_.nodes()) candidates.push_back(node.where);
  if (std::find(candidates.begin(), candidates.end(), given()) == candidates.end())
    candidates.push_back(given());
  auto count = candidates.size();
  std::rotate(candidates.begin(),
              candidates.begin() + static_cast<std::ptrdiff_t>(looked_++ % count),
              candidates.end());
  std::stable_partition(candidates.begin(), candidates.end(),
                        [&](const Endpoint& where) { return where != silent_; });
  Status found = Done{};
  for (std::size_t i = 0; i < count && Clock::now() < deadline; ++i) {
    found = co_await look_at(candidates[i], deadline);
    if (found) co_return found;
    silent_ = candidates[i];
  }
  co_return found;
}

Awaitable<Status> Cluster::look_at(Endpoint where, Deadline deadline) {
  auto client = node(where);
  constexpr std::array<std::string_view, 2> words{"CLUSTER", "SLOTS"};
  auto until = std::min<Deadline>(deadline, Clock::now() + map_timeout);
  CO_TRY(auto reply, co_await client->answer(request(words), until, {}));
  if (reply.is(Reply::Kind::refusal)) {
    // "ERR This instance has cluster support disabled", or the user may not ask.
    bool alone = reply.bytes.starts_with("ERR") || reply.bytes.starts_with("NOPERM");
    if (kind_ != Kind::unknown || !alone) co_return refused(reply.bytes);
    kind_ = Kind::server;
    co_return Done{};
  }
  auto map = SlotMap::parse(reply, where);
  if (!map) co_return unexpected_answer();
  map_ = std::move(*map);
  kind_ = Kind::cluster;
  stale_ = false;
  std::erase_if(nodes_, [&](const auto& each) {
    const auto& nodes = map_.nodes();
    return std::none_of(nodes.begin(), nodes.end(),
                        [&](const auto& node) { return node.where == each.first; });
  });
  co_return Done{};
}

std::shared_ptr<NodeClient> Cluster::node(const Endpoint& where) {
  // Those in use live until their requests end.
  if (!nodes_.contains(where) && nodes_.size() >= max_nodes) nodes_.clear();
  auto& client = nodes_[where];
  if (!client) {
    auto address = address_;
    address.host = where.host;
    address.port = where.port;
    client = std::make_shared<NodeClient>(context_, std::move(address));
  }
  return client;
}

Result<Reply> accepted(Result<Reply> reply) {
  if (reply && reply->is(Reply::Kind::refusal)) return refused(reply->bytes);
  return reply;
}

NodeClient::NodeClient(boost::asio::io_context& context, RedisAddress address)
    : context_(context),
      tls_(ssl::context::tls_client),
      address_(std::move(address)),
      gate_(context, max_unanswered, max_waiting) {
  if (!address_.tls) return;
  tls_.set_default_verify_paths();
  tls_.set_verify_mode(ssl::verify_peer);
}

NodeClient::~NodeClient() {
  for (const auto& each : connections_) each->close(broken("the page index is closed"));
}

Awaitable<Result<Reply>> NodeClient::answer(const Call& call, Deadline deadline,
                                            AskOptions options) {
  auto reply = co_await answer(call.by_name(), deadline, options);
  if (unknown_script(reply)) reply = co_await answer(call.in_full(), deadline, options);
  co_return reply;
}

Awaitable<Result<Reply>> NodeClient::answer(std::string request, Deadline deadline,
                                            AskOptions options) {
  SameWork same;
  auto pass = co_await gate_.enter(deadline);
  if (!pass) co_return broken("too many requests wait for it");
  auto chosen = connection();
  if (!chosen) co_return *failed_;
  std::size_t replies = 1;
  if (options.asking) {
    request.insert(0, "*1\r\n$6\r\nASKING\r\n");
    replies = 2;
  }
  auto reply = co_await chosen->ask(std::move(request), deadline, replies);
  if (reply) connected_at_ = std::max(connected_at_, chosen->opened_at());
  bool done = reply && !reply->is(Reply::Kind::refusal);
  if (done && options.replicated) co_await wait_for_replica(*chosen);
  co_return reply;
}

// A replica that lags, or is away, would hold up each write: so none is waited for, for a while.
Awaitable<void> NodeClient::wait_for_replica(Connection& connection) {
  auto hopeless = [this] { return Clock::now() < no_replica_until_; };
  auto has = co_await connection.replicated(replica_timeout, hopeless);
  if (!has && !hopeless()) no_replica_until_ = Clock::now() + without_replica;
}

// The least busy connection; a new one if all are busy. nullptr: the last attempt failed just now.
std::shared_ptr<Connection> NodeClient::connection() {
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

void NodeClient::drop_broken() {
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
