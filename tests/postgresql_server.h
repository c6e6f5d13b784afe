// A PostgreSQL server for tests.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "database_server.h"

namespace quire {

class PostgresqlServer final : public DatabaseServer {
 public:
  // `settings`: such as "ssl=on".
  explicit PostgresqlServer(std::vector<std::string> settings = {})
      : DatabaseServer(std::move(settings)) {
    if (geteuid() == 0) run({"chown", "postgres", directory()});
    run(as_its_user({binary("initdb"), "-D", data(), "-U", "postgres", "--auth-local=trust",
                     "--auth-host=scram-sha-256", "--no-sync", "-E", "UTF8", "--locale=C"}));
    start();
    execute("CREATE USER quire PASSWORD 'it''s \\ a: \"secret\" %40'");
    execute("CREATE DATABASE quire OWNER quire");
  }

  // Runs a statement as its superuser by PostgreSQL's own client. Returns the client's output.
  std::string execute(const std::string& statement) {
    return run({"psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", directory(), "-p", port(), "-U",
                "postgres", "-d", "postgres", "-c", statement});
  }

 private:
  // PostgreSQL does not run as root, but as the user that its package made.
  static std::vector<std::string> as_its_user(std::vector<std::string> command) {
    if (geteuid() == 0)
      command.insert(command.begin(), {"setpriv", "--reuid=postgres", "--regid=postgres",
                                       "--clear-groups", "--pdeathsig", "KILL"});
    return command;
  }

  // Debian keeps the server's commands out of PATH, in a folder a version.
  static std::string binary(const std::string& name) {
    std::string newest;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql"))
      newest = std::max(newest, version.path().string());
    return newest + "/bin/" + name;
  }

  std::vector<std::string> command() const override {
    std::vector<std::string> words{binary("postgres"), "-D", data(), "-k", directory()};
    std::vector<std::string> all{
        "listen_addresses=127.0.0.1", "port=" + port(), "shared_buffers=32MB", "max_connections=60",
        // A killed server loses nothing by these.
        "fsync=off", "full_page_writes=off", "dynamic_shared_memory_type=mmap"};
    all.insert(all.end(), settings().begin(), settings().end());
    for (const auto& setting : all) words.insert(words.end(), {"-c", setting});
    return as_its_user(words);
  }
  std::vector<std::string> question() const override {
    return {"pg_isready", "-q", "-h", directory(), "-p", port(), "-t", "5"};
  }
};

}  // namespace quire
