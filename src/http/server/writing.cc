// How a connection writes: the head of a response, and its bytes as the client takes them.
#include <fmt/format.h>

#include <boost/beast/core/buffers_suffix.hpp>

#include "http/server/connection.h"
#include "loop/awaitable.h"

namespace quire::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

constexpr std::size_t piece = 64 * 1024;     // of a response; each has its own deadline
constexpr std::size_t max_small = 4 * 1024;  // a response too small to count against budgets
// The same, if its client has no other unsent bytes. The operator's /metrics is one of these.
constexpr std::size_t max_usual = 128 * 1024;

bool has_body(const Response& response) {
  return response.status != 204 && response.status != 304;
}

}  // namespace

// Whether so many bytes may wait for the client. A client without unsent bytes gets a response of
// usual size even when other clients have used up the budget.
bool Connection::may_wait(const std::string& client, std::size_t bytes) const {
  if (bytes <= max_small) return true;
  bool has_none = client.empty() || shared_.unsent.taken_by(client) == 0;
  return (has_none && bytes <= max_usual) || shared_.unsent.has_room(client, bytes);
}

// Writes the head into `head_`. Returns it, and the body that goes with it.
Connection::Parts Connection::parts_of(const Response& response, bool with_body, bool keep,
                                       unsigned version) {
  auto reason = beast::http::obsolete_reason(static_cast<beast::http::status>(response.status));
  auto add = [this](const auto&... texts) { (head_.append(std::string_view(texts)), ...); };
  auto number = [](auto value) { return fmt::format_int(value); };
  head_.clear();
  add("HTTP/1.1 ", number(response.status).c_str(), " ", std::string_view(reason),
      "\r\nDate: ", loop_.date(), "\r\nX-Request-Id: ", request_id_, "\r\n");
  if (has_body(response)) {
    add("Content-Type: ", response.type, "\r\n");
    if (response.coding != Coding::identity)
      add("Content-Encoding: ", coding_name(response.coding), "\r\n");
    if (response.taker && version >= 11)
      add("Transfer-Encoding: chunked\r\n");
    else if (!response.taker && !response.body_left_out)
      add("Content-Length: ", number(response.bytes().size()).c_str(), "\r\n");
  }
  add_security_headers(head_, response);
  add(response.lines(), response.outer);
  if (!keep) add("Connection: close\r\n");
  if (keep && version == 10) add("Connection: keep-alive\r\n");
  add("\r\n");
  bool sends_body = has_body(response) && with_body;
  return {asio::buffer(head_), asio::buffer(sends_body ? response.bytes() : std::string_view())};
}

// Offers the parts to the kernel, which takes most responses whole. Returns how many bytes it took;
// nothing: the connection failed.
std::optional<std::size_t> Connection::offer(const Parts& parts) {
  if (closed_) return {};
  boost::system::error_code failed;
  auto sent = socket_.write_some(parts, failed);
  if (failed && failed != asio::error::would_block) return {};
  return sent;
}

// The whole response stays in memory until the kernel has taken its last byte, if it is no file.
Awaitable<bool> Connection::write_rest(Parts parts, std::size_t size, std::size_t sent,
                                       const std::string& client, bool in_memory) {
  Budget::Hold hold(shared_.unsent, client, in_memory ? size : 0);
  beast::buffers_suffix<Parts> rest(parts);
  rest.consume(sent);
  for (std::size_t due = sent; sent < size && !closed_;) {
    if (sent >= due) {
      set_deadline(shared_.timeouts.piece);
      wait_for_client(State::writing);
      due = sent + piece;
    }
    auto [failed, taken] = co_await socket_.async_write_some(rest, await);
    if (failed) co_return false;
    rest.consume(taken);
    sent += taken;
  }
  co_return !closed_;
}

}  // namespace quire::http
