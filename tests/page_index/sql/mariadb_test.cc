// A server that stops, refuses, or does not answer.
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <sstream>
#include <thread>

#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

Error error_with(MysqlServer address, SqlOptions options = {}) {
  SqlIndex index(address, "t", Access::write, options);
  auto state = wait(index.state());
  EXPECT_FALSE(state);
  if (state) return {};
  auto error = state.error();
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_TRUE(error.message.ends_with(".")) << error.message;
  EXPECT_EQ(error.message.find(address.password), std::string::npos) << error.message;
  return error;
}

bool says(const Error& error, std::string_view words) {
  return error.message.find(words) != std::string::npos;
}

// Has its own server, because stopping one would break other tests.
class MariaDbThatStops : public testing::Test {
 protected:
  static MariaDbServer& server() {
    static MariaDbServer one;
    return one;
  }
  void SetUp() override { server().start(); }
  static void TearDownTestSuite() { server().stop(); }

  std::unique_ptr<SqlIndex> open() {
    return std::make_unique<SqlIndex>(address_of(server()), name_of_test(), Access::write);
  }
  static std::string name_of_test() {
    return testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  void break_all_connections() {
    std::istringstream ids(
        server().execute("SELECT id FROM information_schema.processlist WHERE user = 'quire'"));
    std::string kills;
    for (std::string id; ids >> id;) kills += "KILL " + id + ";";
    ASSERT_FALSE(kills.empty());
    server().execute(kills);
  }
};

TEST_F(MariaDbThatStops, IsUsedAgainAfterARestart) {
  auto index = open();
  ASSERT_TRUE(wait(index->reset(following())));
  ASSERT_TRUE(wait(index->apply(step_of({}, {"1"}, {inserted(1)}))).value());
  server().stop();
  auto step = step_of(Mark{"1"}, {"2"}, {inserted(2)});
  auto failed = wait(index->apply(step));
  ASSERT_FALSE(failed);
  EXPECT_TRUE(says(failed.error(), "cannot be reached")) << failed.error().message;
  EXPECT_FALSE(wait(index->state()));
  server().start();
  EXPECT_TRUE(wait(index->apply(step)).value());
  EXPECT_EQ(length(*index), 2u);
}

// A restart between two requests causes no error.
TEST_F(MariaDbThatStops, ABrokenConnectionIsReplaced) {
  auto index = open();
  ASSERT_TRUE(wait(index->put({inserted(1)})));
  break_all_connections();
  EXPECT_TRUE(wait(index->put({inserted(2)})));
  break_all_connections();
  EXPECT_EQ(length(*index), 2u);
  server().stop();
  server().start();
  EXPECT_TRUE(wait(index->put({inserted(3)})));
  EXPECT_EQ(length(*index), 3u);
}

// After any error a step can be repeated after the restart, and is applied once.
TEST_F(MariaDbThatStops, AStopNeitherLosesNorRepeatsAStep) {
  auto index = open();
  ASSERT_TRUE(wait(index->reset(following())));
  constexpr int stops = 3;
  std::atomic<int> made = 0;
  std::atomic<bool> enough = false;
  std::thread worker([&] {
    while (!enough) {
      auto state = wait(index->state());
      if (!state) continue;
      std::optional<Mark> before;
      if (state->marks.contains("s")) before = state->marks["s"];
      auto number = before ? std::stoul(before->read_to) + 1 : 1;
      std::vector<Change> changes;
      for (std::uint32_t i = 0; i < 20; ++i)
        changes.push_back(inserted(static_cast<std::uint32_t>(number) * 20 + i));
      auto step = step_of(before, {std::to_string(number)}, changes);
      if (auto applied = wait(index->apply(step)); applied && *applied) ++made;
    }
  });
  for (int i = 0; i < stops; ++i) {
    for (int target = made + 10; made < target;) std::this_thread::yield();
    server().stop();
    server().start();
  }
  for (int target = made + 10; made < target;) std::this_thread::yield();
  enough = true;
  worker.join();
  auto steps = std::stoul(wait(index->state()).value().marks["s"].read_to);
  EXPECT_EQ(length(*index), steps * 20);
  EXPECT_EQ(ids(*index).size(), steps * 20);
}

TEST(MariaDb, AWrongPasswordOrDatabaseIsReportedWithoutSecrets) {
  auto address = address_of(mariadb());
  auto wrong = address;
  wrong.password = "wrong-password";
  EXPECT_TRUE(says(error_with(wrong), "refuses this user"));
  auto nobody = address;
  nobody.user = "nobody-here";
  EXPECT_TRUE(says(error_with(nobody), "refuses this user"));
  auto foreign = address;
  foreign.database = "mysql";
  EXPECT_TRUE(says(error_with(foreign), "refuses this user"));
  auto missing = address;
  missing.database = "quire_none";
  EXPECT_TRUE(says(error_with(missing), "is missing"));
}

TEST(MariaDb, AnAddressWithoutAServerIsReported) {
  auto nowhere = address_of(mariadb());
  nowhere.port = static_cast<unsigned short>(std::stoi(free_port()));
  auto error = error_with(nowhere);
  EXPECT_TRUE(says(error, shown(nowhere) + " cannot be reached")) << error.message;
}

// The server accepts the connection, and sends nothing.
TEST(MariaDb, ASilentServerIsGivenUp) {
  namespace ip = boost::asio::ip;
  boost::asio::io_context context;
  ip::tcp::acceptor silent(context, {ip::address_v4::loopback(), 0});
  auto address = address_of(mariadb());
  address.port = silent.local_endpoint().port();
  SqlOptions hasty;
  hasty.timeouts.connect = std::chrono::seconds(1);
  EXPECT_FALSE(error_with(address, hasty).message.empty());
}

TEST(MariaDb, AUserWhoMayOnlyReadReads) {
  auto address = address_of(mariadb());
  SqlIndex writer(address, "readable", Access::write);
  ASSERT_TRUE(wait(writer.put({inserted(1)})));
  mariadb().execute(
      "CREATE OR REPLACE USER looker IDENTIFIED BY 'p'; "
      "GRANT SELECT ON quire.* TO looker");
  address.user = "looker";
  address.password = "p";
  SqlIndex reader(address, "readable", Access::read);
  EXPECT_EQ(length(reader), 1u);
  EXPECT_EQ(wait(reader.state()).value(), State());
}

}  // namespace
}  // namespace quire::sql
