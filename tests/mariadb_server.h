// A MariaDB server for tests: a child process on a free port of this machine alone, which can be
// stopped and started again with what it holds.
#pragma once

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

class MariaDbServer {
 public:
  static constexpr const char* password = "it's \\ a: \"secret\" %40";

  // `settings`: further options of the server, such as "--ssl-ca=FILE".
  explicit MariaDbServer(std::vector<std::string> settings = {}) : settings_(std::move(settings)) {
    run({"mariadb-install-db", "--no-defaults", "--user=root", "--datadir=" + data(),
         "--auth-root-authentication-method=normal", "--skip-test-db",
         "--innodb-log-file-size=4M"});
    start();
    execute(
        "CREATE USER quire IDENTIFIED BY 'it\\'s \\\\ a: \"secret\" %40'; "
        "GRANT ALL ON `quire%`.* TO quire; CREATE DATABASE quire");
  }

  const std::string& port() const { return port_; }
  bool running() { return process_ && process_->running(); }

  // Ends the server by a signal that it cannot catch, as a power cut does.
  void stop() { process_.reset(); }

  // Starts the server, on its earlier port if it had one.
  void start() {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    bool again = !port_.empty();
    while (!answers()) {
      if (std::chrono::steady_clock::now() > deadline)
        throw std::runtime_error("MariaDB does not answer; it printed: " + printed(log("server")));
      if (!running()) {
        if (!again) port_ = free_port();
        process_.emplace(command(), directory_.path(), log("server"));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  // Runs a statement as root by MariaDB's own client. Returns the client's output.
  std::string execute(const std::string& statements) {
    return run({"mariadb", "--no-defaults", "--user=root", "--socket=" + socket(),
                "--skip-column-names", "--execute=" + statements});
  }

 private:
  std::vector<std::string> command() const {
    std::vector<std::string> words{
        "mariadbd",
        "--no-defaults",
        "--user=root",
        "--datadir=" + data(),
        "--socket=" + socket(),
        "--port=" + port_,
        "--bind-address=127.0.0.1",
        "--innodb-buffer-pool-size=32M",
        "--innodb-log-file-size=4M",
        "--innodb-flush-log-at-trx-commit=2",  // a killed server loses nothing by it
        "--performance-schema=OFF",
        "--skip-name-resolve",
        "--skip-log-bin",
        "--pid-file=" + directory_.path() + "/pid"};
    words.insert(words.end(), settings_.begin(), settings_.end());
    return words;
  }

  bool answers() {
    if (!running()) return false;
    ChildProcess client({"mariadb-admin", "--no-defaults", "--user=root", "--socket=" + socket(),
                         "--connect-timeout=5", "status"},
                        directory_.path(), log("status"));
    while (client.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return printed(log("status")).starts_with("Uptime");
  }

  std::string run(const std::vector<std::string>& command) {
    // The output after the last line shows that all statements succeeded.
    std::vector<std::string> checked{"sh", "-c", "\"$@\" && echo done", "sh"};
    checked.insert(checked.end(), command.begin(), command.end());
    ChildProcess child(checked, directory_.path(), log("client"));
    while (child.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    auto text = printed(log("client"));
    if (!text.ends_with("done\n")) throw std::runtime_error(command.front() + ": " + text);
    return text.substr(0, text.size() - 5);
  }

  static std::string printed(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string log(const std::string& of) const { return directory_.path() + "/" + of + ".log"; }
  std::string data() const { return directory_.path() + "/data"; }
  std::string socket() const { return directory_.path() + "/socket"; }

  TemporaryDirectory directory_;
  std::vector<std::string> settings_;
  std::string port_;
  std::optional<ChildProcess> process_;
};

}  // namespace quire
