// A PostgreSQL server for tests: a child process on a free port of this machine alone, which can be
// stopped and started again with what it holds.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
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

class PostgresqlServer {
 public:
  static constexpr const char* password = "it's \\ a: \"secret\" %40";

  // `settings`: such as "ssl=on".
  explicit PostgresqlServer(std::vector<std::string> settings = {})
      : settings_(std::move(settings)) {
    // PostgreSQL does not run as root, but as the user that its package made.
    if (geteuid() == 0) {
      run({"chown", "postgres", directory_.path()}, false);
      as_its_user_ = {"setpriv",        "--reuid=postgres", "--regid=postgres",
                      "--clear-groups", "--pdeathsig",      "KILL"};
    }
    run({binary("initdb"), "-D", data(), "-U", "postgres", "--auth-local=trust",
         "--auth-host=scram-sha-256", "--no-sync", "-E", "UTF8", "--locale=C"});
    start();
    execute("CREATE USER quire PASSWORD 'it''s \\ a: \"secret\" %40'");
    execute("CREATE DATABASE quire OWNER quire");
  }

  const std::string& port() const { return port_; }
  const std::string& directory() const { return directory_.path(); }
  bool running() { return process_ && process_->running(); }

  // Ends the server by a signal that it cannot catch, as a power cut does.
  void stop() { process_.reset(); }

  // Starts the server, on its earlier port if it had one.
  void start() {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    bool again = !port_.empty();
    while (!answers()) {
      if (std::chrono::steady_clock::now() > deadline)
        throw std::runtime_error("PostgreSQL does not answer; it printed: " +
                                 printed(log("server")));
      if (!running()) {
        if (!again) port_ = free_port();
        process_.emplace(command(), directory_.path(), log("server"));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  // Runs a statement as its superuser by PostgreSQL's own client. Returns the client's output.
  std::string execute(const std::string& statement) {
    return run({"psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", directory_.path(), "-p", port_,
                "-U", "postgres", "-d", "postgres", "-c", statement});
  }

 private:
  // Debian keeps the server's commands out of PATH, in a folder a version.
  static std::string binary(const std::string& name) {
    std::string newest;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql"))
      newest = std::max(newest, version.path().string());
    return newest + "/bin/" + name;
  }

  std::vector<std::string> command() const {
    auto words = as_its_user_;
    words.insert(words.end(), {binary("postgres"), "-D", data(), "-k", directory_.path()});
    std::vector<std::string> settings{"listen_addresses=127.0.0.1", "port=" + port_,
                                      "shared_buffers=32MB", "max_connections=60",
                                      // A killed server loses nothing by these.
                                      "fsync=off", "full_page_writes=off"};
    settings.insert(settings.end(), settings_.begin(), settings_.end());
    for (const auto& setting : settings) words.insert(words.end(), {"-c", setting});
    return words;
  }

  bool answers() {
    if (!running()) return false;
    ChildProcess client({"pg_isready", "-h", directory_.path(), "-p", port_}, directory_.path(),
                        log("status"));
    while (client.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return printed(log("status")).find("accepting") != std::string::npos;
  }

  std::string run(std::vector<std::string> command, bool as_its_user = true) {
    // The output after the last line shows that the command succeeded.
    std::vector<std::string> checked{"sh", "-c", "\"$@\" && echo done", "sh"};
    if (as_its_user) command.insert(command.begin(), as_its_user_.begin(), as_its_user_.end());
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

  TemporaryDirectory directory_;
  std::vector<std::string> settings_;
  std::vector<std::string> as_its_user_;
  std::string port_;
  std::optional<ChildProcess> process_;
};

}  // namespace quire
