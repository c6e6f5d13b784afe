// The servers that a page index trusts. The certificate is for 127.0.0.1, and the servers listen at
// 127.0.0.2, too.
#include <cstdlib>

#include "certificates.h"
#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

const char* const both_addresses = "127.0.0.1,127.0.0.2";

struct Running {
  Certificates certificates;
  std::optional<MariaDbServer> mariadb;
  std::optional<quire::PostgresqlServer> postgresql;

  Running() {
    certificates.make_authority("ours");
    certificates.make_authority("theirs");
    certificates.make_certificate("ours", "IP:127.0.0.1");
    auto certificate = certificates.file("server.pem"), key = certificates.file("server.key");
    mariadb.emplace(std::vector<std::string>{"--ssl-cert=" + certificate, "--ssl-key=" + key,
                                             "--bind-address=" + std::string(both_addresses)});
    // The key must belong to the user of the server, or be root's and readable by a group of it.
    if (geteuid() == 0 && std::system(("chown postgres " + key).c_str()) != 0) std::abort();
    postgresql.emplace(std::vector<std::string>{"ssl=on", "ssl_cert_file=" + certificate,
                                                "ssl_key_file=" + key,
                                                "listen_addresses=" + std::string(both_addresses)});
  }
};

class SqlTls : public testing::TestWithParam<const char*> {
 protected:
  static Running& running() {
    static Running servers;
    return servers;
  }
  bool mysql() const { return std::string_view(GetParam()) == "mysql"; }
  std::string file(const std::string& authority) {
    return running().certificates.file(authority + ".pem");
  }
  SqlAddress address(const std::string& host, const std::string& tls) {
    auto port = mysql() ? running().mariadb->port() : running().postgresql->port();
    auto text = std::string(GetParam()) + "://quire@" + host + ":" + port + "/quire";
    return parse_sql_address(text + (tls.empty() ? "" : "?tls=" + tls), MariaDbServer::password)
        .value();
  }
  // The version of TLS of a connection; empty without.
  std::string version(const SqlAddress& address) {
    DataSource source{address, tables_of("t"), Access::write, {}};
    Connection connection(source);
    if (mysql())
      return std::get<1>(
          connection.rows<std::string, std::string>("SHOW STATUS LIKE 'Ssl_version'").at(0));
    return std::get<0>(connection
                           .rows<std::string>("SELECT COALESCE(version, '') FROM pg_stat_ssl "
                                              "WHERE pid = pg_backend_pid()")
                           .at(0));
  }
  std::string refusal(const SqlAddress& address) {
    SqlIndex index(address, "t", Access::write);
    auto state = wait(index.state());
    EXPECT_FALSE(state);
    return state ? "it worked" : state.error().message;
  }
};

TEST_P(SqlTls, ATrustedServerIsUsedOverTls) {
  EXPECT_TRUE(version(address("127.0.0.1", file("ours"))).starts_with("TLSv1."));
  SqlIndex index(address("127.0.0.1", file("ours")), "t", Access::write);
  ASSERT_TRUE(wait(index.put({inserted(1)})));
  EXPECT_EQ(length(index), 1u);
}

TEST_P(SqlTls, TheAuthoritiesOfTheSystemAreThoseOfOpenssl) {
  setenv("SSL_CERT_FILE", file("ours").c_str(), 1);
  EXPECT_TRUE(version(address("127.0.0.1", "system")).starts_with("TLSv1."));
  setenv("SSL_CERT_FILE", file("theirs").c_str(), 1);
  auto words = refusal(address("127.0.0.1", "system"));
  unsetenv("SSL_CERT_FILE");
  EXPECT_NE(words.find("does not prove by TLS"), std::string::npos) << words;
}

TEST_P(SqlTls, AServerOfAnotherAuthorityOrNameIsRefused) {
  for (const auto& wrong :
       {address("127.0.0.1", file("theirs")), address("127.0.0.2", file("ours")),
        address("127.0.0.1", file("none"))}) {
    auto words = refusal(wrong);
    EXPECT_NE(words.find("does not prove by TLS"), std::string::npos) << words;
    EXPECT_EQ(words.find("secret"), std::string::npos) << words;
  }
  EXPECT_NO_THROW(version(address("127.0.0.2", ""))) << "without tls= it is used";
}

TEST_P(SqlTls, AServerWithoutTlsIsRefused) {
  SqlAddress plain;
  if (mysql()) {
    auto server = address_of(mariadb());
    server.tls = file("ours");
    plain = server;
  } else {
    auto server = address_of(postgresql_server());
    server.tls = file("ours");
    plain = server;
  }
  auto words = refusal(plain);
  EXPECT_NE(words.find("does not prove by TLS"), std::string::npos) << words;
}

INSTANTIATE_TEST_SUITE_P(Sql, SqlTls, testing::Values("mysql", "postgresql"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace quire::sql
