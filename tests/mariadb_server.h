// A MariaDB server for tests.
#pragma once

#include "database_server.h"

namespace quire {

class MariaDbServer final : public DatabaseServer {
 public:
  // `settings`: further options of the server, such as "--ssl-ca=FILE".
  explicit MariaDbServer(std::vector<std::string> settings = {})
      : DatabaseServer(std::move(settings)) {
    run({"mariadb-install-db", "--no-defaults", "--user=root", "--datadir=" + data(),
         "--auth-root-authentication-method=normal", "--skip-test-db",
         "--innodb-log-file-size=4M"});
    start();
    execute(
        "CREATE USER quire IDENTIFIED BY 'it\\'s \\\\ a: \"secret\" %40'; "
        "GRANT ALL ON `quire%`.* TO quire; CREATE DATABASE quire");
  }

  // Runs a statement as root by MariaDB's own client. Returns the client's output.
  std::string execute(const std::string& statements) {
    return run({"mariadb", "--no-defaults", "--user=root", "--socket=" + socket(),
                "--skip-column-names", "--execute=" + statements});
  }

 private:
  std::vector<std::string> command() const override {
    std::vector<std::string> words{
        "mariadbd",
        "--no-defaults",
        "--user=root",
        "--datadir=" + data(),
        "--socket=" + socket(),
        "--port=" + port(),
        "--bind-address=127.0.0.1",
        "--innodb-buffer-pool-size=32M",
        "--innodb-log-file-size=4M",
        "--innodb-flush-log-at-trx-commit=2",  // a killed server loses nothing by it
        "--performance-schema=OFF",
        "--skip-name-resolve",
        "--skip-log-bin",
        "--pid-file=" + directory() + "/pid"};
    words.insert(words.end(), settings().begin(), settings().end());
    return words;
  }
  std::vector<std::string> question() const override {
    return {"mariadb-admin",        "--no-defaults",       "--user=root",
            "--socket=" + socket(), "--connect-timeout=5", "status"};
  }

  std::string socket() const { return directory() + "/socket"; }
};

}  // namespace quire
