// A PostgreSQL server that stops, or refuses.
#include <sstream>

#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

std::string refusal(const PostgresqlServer& address) {
  SqlIndex index(address, "t", Access::write);
  auto state = wait(index.state());
  EXPECT_FALSE(state);
  return state ? "it worked" : state.error().message;
}

TEST(Postgresql, RefusalsAreReportedWithoutSecrets) {
  auto address = address_of(postgresql_server());
  auto wrong = address, nobody = address, missing = address, nowhere = address;
  wrong.password = "wrong-password";
  nobody.user = "nobody-here";
  missing.database = "quire_none";
  nowhere.port = static_cast<unsigned short>(std::stoi(free_port()));
  EXPECT_NE(refusal(wrong).find("refuses this user"), std::string::npos);
  EXPECT_EQ(refusal(wrong).find("wrong-password"), std::string::npos);
  EXPECT_NE(refusal(nobody).find("refuses this user"), std::string::npos);
  EXPECT_NE(refusal(missing).find("is missing"), std::string::npos);
  EXPECT_NE(refusal(nowhere).find(shown(nowhere) + " cannot be reached"), std::string::npos);
}

TEST(Postgresql, AUserWhoMayOnlyReadReads) {
  auto address = address_of(postgresql_server());
  SqlIndex writer(address, "readable", Access::write);
  ASSERT_TRUE(wait(writer.put({inserted(1)})));
  DataSource source{address, tables_of("readable"), Access::write, {}};
  postgresql_server().execute("CREATE USER looker PASSWORD 'p'");
  Connection(source).execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker");
  address.user = "looker";
  address.password = "p";
  SqlIndex reader(address, "readable", Access::read);
  EXPECT_EQ(length(reader), 1u);
  EXPECT_EQ(wait(reader.state()).value(), State());
}

// Has its own server, because stopping one would break other tests.
TEST(Postgresql, IsUsedAgainAfterARestart) {
  quire::PostgresqlServer server;
  SqlIndex index(address_of(server), "t", Access::write);
  ASSERT_TRUE(wait(index.reset(following())));
  ASSERT_TRUE(wait(index.apply(step_of({}, {"1"}, {inserted(1)}))).value());
  server.stop();
  server.start();
  EXPECT_EQ(length(index), 1u) << "a broken connection is replaced";
  server.stop();
  auto step = step_of(Mark{"1"}, {"2"}, {inserted(2)});
  auto failed = wait(index.apply(step));
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("cannot be reached"), std::string::npos);
  server.start();
  EXPECT_TRUE(wait(index.apply(step)).value());
  EXPECT_EQ(length(index), 2u);
}

}  // namespace
}  // namespace quire::sql
