// A server for tests: a child process on a free port of this machine. It ends with its object, and
// with the thread that made it, however that thread ends.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bytes.h"
#include "child_process.h"
#include "temporary_directory.h"

namespace quire {

class ServerProcess {
 public:
  const std::string& port() const { return port_; }
  // The server's own.
  const std::string& directory() const { return directory_.path(); }
  bool running() { return process_ && process_->running(); }

  // Starts the server, on its earlier port if it had one. Returns when the server answers.
  void start() {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    bool again = !port_.empty();
    while (!running() || !answers()) {
      if (std::chrono::steady_clock::now() > deadline)
        throw std::runtime_error("the server does not answer; it printed: " + file_bytes(log()));
      // The first start fails if another process takes the port first.
      if (!running()) {
        if (!again) port_ = free_port();
        process_.emplace(command(), runs_in(), log());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

 protected:
  ServerProcess() = default;
  ~ServerProcess() = default;

  virtual std::vector<std::string> command() const = 0;
  virtual std::string runs_in() const { return directory(); }
  virtual bool answers() = 0;

  void kill() { process_.reset(); }
  pid_t id() const { return process_->id(); }

 private:
  std::string log() const { return directory() + "/server.log"; }

  TemporaryDirectory directory_;
  std::string port_;
  std::optional<ChildProcess> process_;
};

}  // namespace quire
