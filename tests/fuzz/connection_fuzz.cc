// Sends the input through a connection, over a pair of sockets. The first byte is the size of the
// pieces.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/beast/http.hpp>

#include "http/server/connection.h"
#include "shop.h"

namespace quire::fuzz {
namespace {

namespace beast = boost::beast;

constexpr std::size_t max_unsent = 1 << 30;

// Records the requests and the statuses of their answers. The last request may lack its answer.
class Recorder : public http::RequestHandler {
 public:
  std::optional<http::RoutedResponse> check_header(http::Request& request) override {
    methods.push_back(request.method);
    auto answer = shop().application.check_header(request);
    if (answer) statuses.push_back(answer->response.status);
    return answer;
  }
  Awaitable<http::RoutedResponse> answer(http::Request& request) override {
    auto answer = co_await shop().application.answer(request);
    statuses.push_back(answer.response.status);
    co_return answer;
  }
  void stop() override {}

  std::vector<http::Verb> methods;
  std::vector<unsigned> statuses;
};

// The client's end of a connection.
class Client {
 public:
  explicit Client(int socket) : socket_(socket) { fcntl(socket_, F_SETFL, O_NONBLOCK); }
  ~Client() { close(socket_); }

  // Sends what the socket takes of at most `piece` bytes; after the last the sending side ends.
  bool send(std::string_view& bytes, std::size_t piece) {
    if (ended_) return false;
    auto sent = ::send(socket_, bytes.data(), std::min(piece, bytes.size()), MSG_NOSIGNAL);
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    bool gone = sent < 0 && errno != EAGAIN;
    if (bytes.empty() || gone) ended_ = shutdown(socket_, SHUT_WR) == 0 || gone;
    return sent > 0 || ended_;
  }

  bool receive() {
    char room[1 << 16];
    auto size = read(socket_, room, sizeof room);
    if (size > 0) received.append(room, static_cast<std::size_t>(size));
    return size > 0;
  }

  std::string received;

 private:
  int socket_;
  bool ended_ = false;
};

// Returns what a client receives that sends these bytes and then waits for the end.
std::string talk(std::string_view bytes, std::size_t piece, Recorder& recorder) {
  int ends[2];
  require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "there are sockets");
  Client client(ends[0]);
  http::Clients clients(1, {});
  http::Shared shared{
      recorder, shop().metrics, {}, {}, http::Budget(8 * max_unsent), http::Budget(8 * max_unsent)};
  http::EventLoop loop(shop().metrics, nullptr);
  http::Connection::Socket socket(loop.context);
  socket.assign(boost::asio::ip::tcp::v4(), ends[1]);
  bool done = false;
  auto seat = clients.enter(boost::asio::ip::make_address("192.0.2.7"));
  auto connection =
      std::make_unique<http::Connection>(std::move(socket), std::move(seat.value()), loop, shared);
  boost::asio::co_spawn(loop.context, http::Connection::serve(std::move(connection)),
                        [&](const std::exception_ptr& failure) {
                          require(!failure, "a connection does not throw");
                          done = true;
                        });
  bool moved = true;
  while (!done) {
    require(moved, "a connection ends when its client does");
    moved = client.send(bytes, piece);
    loop.context.restart();
    moved |= loop.context.poll() > 0;
    moved |= client.receive();
  }
  while (client.receive()) {
  }
  return std::move(client.received);
}

// Requires one answer for each request, in order, and at most a refusal after them.
void check(std::string_view received, const Recorder& recorder) {
  std::size_t answers = 0;
  for (bool last = false; !received.empty();) {
    require(!last, "after a refusal nothing is answered");
    beast::http::response_parser<beast::http::string_body> parser;
    parser.eager(true);
    parser.body_limit(boost::none);
    bool known = answers < recorder.statuses.size();
    bool interim = received.starts_with("HTTP/1.1 100 ");
    parser.skip(interim || (known && recorder.methods[answers] == http::Verb::head));
    boost::system::error_code failed;
    auto size = parser.put(boost::asio::buffer(received.data(), received.size()), failed);
    require(!failed && parser.is_done(), "what is sent is HTTP");
    received.remove_prefix(size);
    if (interim) continue;
    const auto& message = parser.get();
    require(message.count("X-Request-Id") == 1, "an answer has one request id");
    require(!known || message.result_int() == recorder.statuses[answers],
            "answers keep their order");
    last = !known;
    ++answers;
  }
  require(answers >= recorder.statuses.size(), "each request is answered");
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  auto [bytes, piece] = pieces_of(data, size);
  Recorder recorder;
  auto received = talk(bytes, piece, recorder);
  check(received, recorder);
  return 0;
}
