// One client's connection: reads a request, passes it to the handler, writes the response, and so
// on.
#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "http/message.h"
#include "http/server/clients.h"
#include "http/server/event_loop.h"

namespace quire::http {

struct Timeouts {
  std::chrono::milliseconds request{10'000};  // from a request's first byte to its last
  std::chrono::milliseconds idle{60'000};  // between requests, and bytes of a body that is streamed
  std::chrono::milliseconds piece{20'000};  // for each 64 KiB of a response
};

// What all connections of a server share.
struct Shared {
  RequestHandler& handler;
  Metrics& metrics;
  std::vector<Network> trusted_proxies;
  Timeouts timeouts;
  Budget unsent;  // responses that wait for their clients
  Budget bodies;  // of requests
};

class Connection {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  Connection(Socket socket, Clients::Seat client, EventLoop& loop, Shared& shared);
  ~Connection();

  // Returns when the client, a deadline or the stop of the server has ended the connection.
  static Awaitable<void> serve(std::unique_ptr<Connection> connection);

  Time deadline() const { return deadline_; }
  bool idle() const { return state_ == State::idle; }
  bool writing() const { return state_ == State::writing; }
  void close();

 private:
  enum class State { idle, reading, answering, writing };
  enum class Next { answer, close };
  using Parts = std::array<boost::asio::const_buffer, 2>;
  struct Exchange;
  struct Said;
  static constexpr std::size_t read_size = 8 * 1024;

  Awaitable<Next> read(Exchange& exchange);
  bool may_receive() const;
  Awaitable<std::tuple<boost::system::error_code, std::size_t>> receive(
      std::size_t size = read_size);
  bool received(boost::system::error_code failed, std::size_t size);
  std::string name_of(const boost::asio::ip::address& client) const;
  bool begin(Exchange& exchange);
  Awaitable<bool> wait_for_turn();
  void check_header(Exchange& exchange);
  Response refused(unsigned status, std::string_view slug, std::string_view detail) const;
  static bool limit_body(Exchange& exchange);
  bool make_room_for_body(Exchange& exchange);
  Awaitable<void> invite_body(const Exchange& exchange);
  Awaitable<void> refuse(const Exchange& exchange, boost::system::error_code why);
  Awaitable<void> drain();
  bool keeps_open(const Request& request, unsigned version) const;
  Awaitable<bool> respond(Exchange& exchange);
  Awaitable<bool> stream(Exchange& exchange);
  bool unpack(Exchange& exchange);
  Awaitable<bool> receive_more();
  bool offer(Said& said, BodyTaker& taker);
  Awaitable<bool> send_rest(Said& said, BodyTaker& taker, const std::string& client);
  Parts parts_of(const Response& response, bool with_body, bool keep, unsigned version);
  std::optional<std::size_t> offer(const Parts& parts);
  Awaitable<bool> write_rest(Parts parts, std::size_t size, std::size_t sent,
                             const std::string& client, bool in_memory = true);
  void count(const Exchange& exchange, std::chrono::nanoseconds took);
  void log(const Exchange& exchange, std::size_t bytes, std::chrono::nanoseconds took);
  bool may_wait(const std::string& client, std::size_t bytes) const;
  void wait_for_client(State state);
  void begin_response();
  void set_deadline(std::chrono::milliseconds from_now);

  Socket socket_;
  EventLoop& loop_;
  Shared& shared_;
  Clients::Seat client_;
  const std::string peer_;       // the address of `client_`, for the log
  const std::string peer_name_;  // for its shares of budgets; empty: a trusted proxy
  std::list<Connection*>::iterator list_entry_;  // in a list of the loop
  boost::beast::flat_buffer buffer_;
  std::string head_;  // of the response being written
  std::string request_id_;
  Time deadline_;
  State state_ = State::idle;
  bool closed_ = false;
};

}  // namespace quire::http
