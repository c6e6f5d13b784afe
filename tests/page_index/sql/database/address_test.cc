#include "page_index/sql/database/address.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace quire::sql {
namespace {

MysqlServer server(std::string_view text, std::string_view password = "") {
  auto address = parse_sql_address(text, password);
  EXPECT_TRUE(address) << text;
  return address ? std::get<MysqlServer>(*address) : MysqlServer{};
}

std::string refusal(std::string_view text) {
  auto address = parse_sql_address(text, "hidden");
  EXPECT_FALSE(address) << text;
  if (address) return "";
  EXPECT_EQ(address.error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(address.error().message.find("hidden"), std::string::npos) << "shows the password";
  EXPECT_TRUE(address.error().message.ends_with(".")) << address.error().message;
  return address.error().message;
}

TEST(SqlAddress, AFileBecomesAbsolute) {
  auto file = [](std::string_view text) {
    return std::get<SqliteFile>(parse_sql_address(text, "ignored").value()).path;
  };
  EXPECT_EQ(file("sqlite:/var/lib/a b/%20=x.db"), "/var/lib/a b/%20=x.db");
  EXPECT_EQ(file("sqlite:pages.db"), (std::filesystem::current_path() / "pages.db").string());
  EXPECT_EQ(file("sqlite:/a/../b.db"), "/b.db");
}

TEST(SqlAddress, AServerHasAllItsParts) {
  auto all = server("mysql://us%2Fer:p%40ss%3Aword%27@db.example.org:3307/the%20pages", "hidden");
  EXPECT_EQ(all.host, "db.example.org");
  EXPECT_EQ(all.port, 3307);
  EXPECT_EQ(all.user, "us/er");
  EXPECT_EQ(all.password, "p@ss:word'");
  EXPECT_EQ(all.database, "the pages");
}

TEST(SqlAddress, MissingPartsHaveDefaults) {
  auto few = server("mysql://quire@10.0.0.1/pages");
  EXPECT_EQ(few.port, 3306);
  EXPECT_EQ(few.password, "");
  EXPECT_EQ(server("mysql://quire@[::1]/pages").host, "::1");
}

TEST(SqlAddress, ThePasswordOfTheEnvironmentIsTheDefault) {
  EXPECT_EQ(server("mysql://quire@h/pages", "hidden").password, "hidden");
  EXPECT_EQ(server("mysql://quire:own@h/pages", "hidden").password, "own");
  EXPECT_EQ(server("mysql://quire:@h/pages", "hidden").password, "");
}

// The client's library would connect to a socket file, and ignore the port.
TEST(SqlAddress, LocalhostWithAPortUsesThePort) {
  EXPECT_EQ(server("mysql://quire@localhost:3307/pages").host, "127.0.0.1");
  EXPECT_EQ(server("mysql://quire@localhost/pages").host, "localhost");
}

TEST(SqlAddress, APostgresqlServerHasTheSameParts) {
  auto address = parse_sql_address("postgresql://us%2Fer@[::1]/the%20pages", "hidden").value();
  const auto& server = std::get<PostgresqlServer>(address);
  EXPECT_EQ(server.host, "::1");
  EXPECT_EQ(server.port, 5432);
  EXPECT_EQ(server.user, "us/er");
  EXPECT_EQ(server.password, "hidden");
  EXPECT_EQ(server.database, "the pages");
  EXPECT_EQ(server.tls, "");
  EXPECT_EQ(shown(address), "postgresql://us/er@[::1]:5432/the pages");
  auto socket = parse_sql_address("postgresql://quire@%2Frun%2Fpostgresql/pages", "").value();
  EXPECT_EQ(std::get<PostgresqlServer>(socket).host, "/run/postgresql");
  auto local = parse_sql_address("postgresql://quire@localhost:1/pages", "").value();
  EXPECT_EQ(std::get<PostgresqlServer>(local).host, "localhost");
}

TEST(SqlAddress, TlsNamesTheAuthoritiesToTrust) {
  EXPECT_EQ(server("mysql://quire@h/pages?tls=system").tls, "system");
  EXPECT_EQ(server("mysql://quire@h/pages?tls=/etc/a%20b.pem").tls, "/etc/a b.pem");
  EXPECT_EQ(server("mysql://quire@h/pages?tls=ca.pem").tls,
            (std::filesystem::current_path() / "ca.pem").string());
  EXPECT_EQ(server("mysql://quire@localhost/pages?tls=system").host, "127.0.0.1");
}

TEST(SqlAddress, OtherTextsAreRefusedWithASentence) {
  for (const char* text : {"",
                           "sqlite",
                           "sqlite:",
                           "sqlite::memory:",
                           "sqlite:/a\"b",
                           "sqlite:/a\nb",
                           "redis://h",
                           "mysql:",
                           "mysql://",
                           "mysql://h/pages",
                           "mysql://quire:hidden@h",
                           "mysql://quire:hidden@h/",
                           "mysql://quire:hidden@h/a/b",
                           "mysql://quire:hidden@/pages",
                           "mysql://quire:hidden@h:0/pages",
                           "mysql://quire:hidden@h:99999/pages",
                           "mysql://quire:hidden@h:x/pages",
                           "mysql://quire:hidden@h/pages?tls=",
                           "mysql://quire:hidden@h/pages?tls",
                           "mysql://quire:hidden@h/pages?tls=a&tls=b",
                           "mysql://quire:hidden@h/pages?ssl=system",
                           "postgresql://quire:hidden@h/pages?tls=%0a",
                           "postgresql://quire:hidden@h",
                           "postgresql://quire:hidden@h:0/pages",
                           "sqlite",
                           "mysql://quire:hidden%0a@h/pages",
                           "mysql://quire:hidden%00@h/pages",
                           "mysql://quire:hidden word@h/pages",
                           "postgres://quire:hidden@h/pages"})
    EXPECT_FALSE(refusal(text).empty()) << text;
}

TEST(SqlAddress, IsShownWithoutItsPassword) {
  auto address = parse_sql_address("mysql://quire:hidden@h:1/pages", "").value();
  EXPECT_EQ(shown(address), "mysql://quire@h:1/pages");
  EXPECT_EQ(shown(parse_sql_address("mysql://quire:hidden@[::1]/pages", "").value()),
            "mysql://quire@[::1]:3306/pages");
  EXPECT_EQ(shown(parse_sql_address("sqlite:/a.db", "hidden").value()), "sqlite:/a.db");
}

}  // namespace
}  // namespace quire::sql
