#include "page_index/redis/client/connection.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/try.h"
#include "loop/loop.h"

namespace quire::redis {

namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

std::variant<tcp::socket, asio::ssl::stream<tcp::socket>> stream_of(asio::io_context& context,
                                                                    asio::ssl::context* tls) {
  if (tls) return asio::ssl::stream<tcp::socket>(context, *tls);
  return tcp::socket(context);
}

using Clock = std::chrono::steady_clock;

constexpr Milliseconds poll_delay{1};
constexpr Milliseconds margin{2'000};  // for Redis to answer WAIT when its time is over
constexpr std::string_view too_late = "it takes too long";

// What follows "name:" in the answer of INFO.
std::string field(std::string_view info, std::string_view name) {
  auto at = info.find("\n" + std::string(name) + ":");
  if (at == info.npos) return {};
  info.remove_prefix(at + name.size() + 2);
  return std::string(info.substr(0, info.find_first_of("\r\n")));
}

}  // namespace

Socket::Socket(asio::io_context& context, asio::ssl::context* tls)
    : stream_(stream_of(context, tls)), resolver_(context) {}

tcp::socket& Socket::plain() {
  auto* tls = std::get_if<Tls>(&stream_);
  return tls ? tls->next_layer() : std::get<Plain>(stream_);
}

Awaitable<Socket::Error> Socket::open(std::string host, std::string port) {
  auto failed = co_await connect(host, port);
  auto* tls = std::get_if<Tls>(&stream_);
  if (failed || !tls) co_return failed;
  tls->set_verify_callback(asio::ssl::host_name_verification(host));
  Error a_name;
  asio::ip::make_address(host, a_name);
  if (a_name) SSL_set_tlsext_host_name(tls->native_handle(), host.c_str());
  auto [untrusted] = co_await tls->async_handshake(asio::ssl::stream_base::client, await);
  co_return untrusted;
}

Awaitable<Socket::Error> Socket::connect(std::string host, std::string port) {
  auto [unknown, addresses] = co_await resolver_.async_resolve(host, port, await);
  if (unknown) co_return unknown;
  if (closed_) co_return asio::error::operation_aborted;
  auto [refused, address] = co_await asio::async_connect(plain(), addresses, await);
  if (refused) co_return refused;
  Error unset;
  plain().set_option(tcp::no_delay(true), unset);
  plain().set_option(asio::socket_base::keep_alive(true), unset);
  co_return Error();
}

Awaitable<std::size_t> Socket::read(std::span<char> into, Error& failed) {
  auto buffer = asio::buffer(into.data(), into.size());
  std::size_t size = 0;
  if (auto* tls = std::get_if<Tls>(&stream_))
    std::tie(failed, size) = co_await tls->async_read_some(buffer, await);
  else
    std::tie(failed, size) = co_await plain().async_read_some(buffer, await);
  co_return size;
}

Awaitable<Socket::Error> Socket::write(std::string bytes) {
  Error failed;
  std::size_t size = 0;
  if (auto* tls = std::get_if<Tls>(&stream_))
    std::tie(failed, size) = co_await asio::async_write(*tls, asio::buffer(bytes), await);
  else
    std::tie(failed, size) = co_await asio::async_write(plain(), asio::buffer(bytes), await);
  co_return failed;
}

void Socket::close() {
  closed_ = true;
  resolver_.cancel();
  Error failed;
  plain().close(failed);
}

Connection::Connection(asio::io_context& context, asio::ssl::context* tls, RedisAddress address)
    : context_(context),
      address_(std::move(address)),
      socket_(context, tls),
      opening_(context, max_opening) {}

void Connection::open() {
  opening_.async_wait([weak = weak_from_this()](boost::system::error_code cancelled) {
    auto self = weak.lock();
    if (self && !cancelled && !self->opened_) self->close(self->late());
  });
  asio::co_spawn(context_, live(shared_from_this()), asio::detached);
}

Awaitable<void> Connection::live(Self self) {
  auto ready = co_await self->shake_hands();
  if (!ready) co_return self->close(ready.error());
  self->opened_ = true;
  self->opened_at_ = Clock::now();
  self->opening_.cancel();
  self->flush();
  for (;;) {
    auto reply = co_await self->receive();
    if (!reply) co_return self->close(reply.error());
    if (self->unanswered_.empty())
      co_return self->close(reply->is(Reply::Kind::refusal) ? refused(reply->bytes)
                                                            : unexpected_answer());
    auto question = self->unanswered_.front();
    if (--question->replies > 0) continue;
    self->unanswered_.pop_front();
    question->answer = std::move(reply);
    question->timer.cancel();
  }
}

Awaitable<Result<Reply>> Connection::ask(std::string request, Deadline deadline,
                                         std::size_t replies) {
  if (broken_) co_return *broken_;
  if (unanswered_.size() >= max_unanswered)
    co_return redis::broken("too many requests wait for it");
  auto question = std::make_shared<SentCommands>(asio::steady_timer(context_, deadline), replies);
  unanswered_.push_back(question);
  unsent_ += request;
  flush();
  boost::system::error_code cancelled;
  co_await question->timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  if (question->answer) co_return std::move(*question->answer);
  // The oldest request is past its deadline too, so the server is slow and the connection is
  // broken.
  if (!unanswered_.empty() && Clock::now() >= unanswered_.front()->timer.expiry()) close(late());
  co_return late();
}

// The answer to WAIT covers only the writes that were sent before WAIT. So a caller cannot use the
// answer to a WAIT that was sent before its own writes.
Awaitable<bool> Connection::replicated(Milliseconds timeout, std::function<bool()> hopeless) {
  auto self = shared_from_this();
  auto wanted = waits_sent_ + 1;
  auto milliseconds = std::to_string(timeout.count());
  const std::array<std::string_view, 3> words{"WAIT", "1", milliseconds};
  while (waits_answered_ < wanted) {
    if (hopeless()) co_return false;
    if (waits_answered_ < waits_sent_) {  // one at a time, since each blocks the connection
      co_await pause(poll_delay);
      continue;
    }
    ++waits_sent_;
    auto reply = co_await ask(request(words), Clock::now() + timeout + margin);
    waits_answered_ = waits_sent_;
    replicated_ = reply && reply->is(Reply::Kind::number) && reply->number > 0;
  }
  co_return replicated_;
}

void Connection::flush() {
  if (!opened_ || broken_ || sending_ || unsent_.empty()) return;
  sending_ = true;
  asio::co_spawn(context_, send(shared_from_this()), asio::detached);
}

// Requests that come during a write go out together in the next write.
Awaitable<void> Connection::send(Self self) {
  while (!self->unsent_.empty() && !self->broken_) {
    std::string bytes = std::exchange(self->unsent_, {});
    auto failed = co_await self->socket_.write(std::move(bytes));
    if (failed) self->close(redis::broken(failed.message()));
  }
  self->sending_ = false;
}

void Connection::close(Error why) {
  if (broken_) return;
  broken_ = std::move(why);
  broken_at_ = Clock::now();
  socket_.close();
  opening_.cancel();
  for (const auto& question : std::exchange(unanswered_, {})) {
    question->answer = *broken_;
    question->timer.cancel();
  }
}

// An address that answers nothing, not even a refusal, is unreachable.
Error Connection::late() const {
  return connected_ ? redis::broken(too_late) : unreachable(shown(address_), too_late);
}

Awaitable<Status> Connection::shake_hands() {
  auto failed = co_await socket_.open(address_.host, address_.port);
  if (failed) co_return unreachable(shown(address_), failed.message());
  connected_ = true;
  CO_TRY_DONE(co_await authenticate());
  CO_TRY_DONE(co_await select());
  co_return co_await check_eviction_policy();
}

Awaitable<Status> Connection::authenticate() {
  if (address_.password.empty()) co_return Done{};
  std::vector<std::string_view> words{"AUTH"};
  if (!address_.user.empty()) words.push_back(address_.user);
  words.push_back(address_.password);
  CO_TRY(auto reply, co_await ask_alone(request(words)));
  if (!reply.is(Reply::Kind::refusal)) co_return Done{};
  auto known = known_refusal(reply.bytes);
  co_return known ? *known : unavailable("The page index does not accept this user and password.");
}

Awaitable<Status> Connection::select() {
  if (address_.database == 0) co_return Done{};
  auto number = std::to_string(address_.database);
  std::vector<std::string_view> words{"SELECT", number};
  CO_TRY(auto reply, co_await ask_alone(request(words)));
  if (!reply.is(Reply::Kind::refusal)) co_return Done{};
  co_return refused(reply.bytes);
}

// A list that Redis evicted would look as if it had never existed. Policies "volatile-" evict only
// keys that expire, and Quire's keys do not. A user without the right to ask is not checked.
Awaitable<Status> Connection::check_eviction_policy() {
  std::vector<std::string_view> words{"INFO", "memory"};
  CO_TRY(auto reply, co_await ask_alone(request(words)));
  // Redis refuses a connection in its reply to the first request.
  if (reply.is(Reply::Kind::refusal) && refuses_connection(reply.bytes))
    co_return refused(reply.bytes);
  if (!reply.is(Reply::Kind::bytes)) co_return Done{};
  auto policy = field(reply.bytes, "maxmemory_policy"), max = field(reply.bytes, "maxmemory");
  if (!policy.starts_with("allkeys-") || max == "0") co_return Done{};
  co_return unavailable(
      "The page index would lose lists unnoticed when Redis's memory is full "
      "(maxmemory-policy " +
      policy +
      "): set it to noeviction, or give the "
      "page index a Redis of its own.");
}

Awaitable<Result<Reply>> Connection::ask_alone(std::string request) {
  auto failed = co_await socket_.write(std::move(request));
  if (failed) co_return redis::broken(failed.message());
  auto reply = co_await receive();
  co_return reply;
}

Awaitable<Result<Reply>> Connection::receive() {
  for (;;) {
    auto reply = replies_.next();
    if (reply) co_return std::move(*reply);
    if (!replies_.trouble().empty()) co_return redis::broken(replies_.trouble());
    Socket::Error failed;
    auto size = co_await socket_.read(buffer_, failed);
    if (failed) co_return redis::broken(failed.message());
    replies_.feed({buffer_.data(), size});
  }
}

}  // namespace quire::redis
