// A real Redis for tests.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "server_process.h"

namespace quire {

class RedisServer final : public ServerProcess {
 public:
  // Keeps its data in memory alone, unless `options`, in the form of the command line, say
  // otherwise.
  explicit RedisServer(std::vector<std::string> options = {}) : options_(std::move(options)) {
    start();
  }

  std::string address() const { return "redis://127.0.0.1:" + port(); }
  void stop() { kill(); }

 private:
  std::vector<std::string> command() const override {
    std::vector<std::string> command{
        "redis-server", "--port", port(),         "--bind", "127.0.0.1",
        "--save",       "",       "--appendonly", "no",     "--enable-debug-command",
        "yes"};
    command.insert(command.end(), options_.begin(), options_.end());
    return command;
  }

  // Any answer will do, such as the wish for a password.
  bool answers() override {
    boost::asio::ip::tcp::iostream stream;
    stream.expires_after(std::chrono::seconds(10));
    stream.connect("127.0.0.1", port());
    stream << "PING\r\n" << std::flush;
    std::string line;
    return static_cast<bool>(std::getline(stream, line));
  }

  std::vector<std::string> options_;
};

}  // namespace quire
