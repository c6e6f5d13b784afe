// A real Redis for tests: a child process on a free port of this machine.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "child_process.h"
#include "temporary_directory.h"

namespace quire {

class RedisServer {
 public:
  // Keeps its data in memory alone, unless `options`, in the form of the command line, say
  // otherwise.
  explicit RedisServer(std::vector<std::string> options = {}) : options_(std::move(options)) {
    start();
  }

  const std::string& port() const { return port_; }
  std::string address() const { return "redis://127.0.0.1:" + port_; }
  // The server's directory.
  const std::string& directory() const { return directory_.path(); }

  // Kills the server.
  void stop() { process_.reset(); }
  // Starts the server on its earlier port. Returns when the server answers.
  void start() {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!answers()) {
      if (std::chrono::steady_clock::now() > deadline)
        throw std::runtime_error("redis-server does not answer; it printed: " + printed());
      // The first start fails if another process takes the port first.
      if (!process_ || !process_->running()) run();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    started_ = true;
  }

 private:
  void run() {
    if (!started_) port_ = free_port();
    std::vector<std::string> command{
        "redis-server", "--port", port_,          "--bind", "127.0.0.1",
        "--save",       "",       "--appendonly", "no",     "--enable-debug-command",
        "yes"};
    command.insert(command.end(), options_.begin(), options_.end());
    process_.emplace(command, directory(), log());
  }

  // Any answer will do, such as the wish for a password.
  bool answers() {
    if (!process_ || !process_->running()) return false;
    boost::asio::ip::tcp::iostream stream;
    stream.expires_after(std::chrono::seconds(10));
    stream.connect("127.0.0.1", port_);
    stream << "PING\r\n" << std::flush;
    std::string line;
    return static_cast<bool>(std::getline(stream, line));
  }

  std::string log() const { return directory() + "/log"; }
  std::string printed() const {
    std::ifstream file(log());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryDirectory directory_;
  std::vector<std::string> options_;
  std::string port_;
  bool started_ = false;
  std::optional<ChildProcess> process_;
};

}  // namespace quire
