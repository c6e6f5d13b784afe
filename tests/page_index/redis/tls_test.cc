// The servers that a page index trusts. The tests make certificates; this process trusts only those
// in the file that SSL_CERT_FILE names.
#include <gtest/gtest.h>

#include <cstdlib>

#include "certificates.h"
#include "page_index/redis/raw_client.h"

namespace quire::redis {
namespace {

class RedisTls : public testing::Test {
 protected:
  void SetUp() override {
    certificates_.make_authority("ours");
    certificates_.make_authority("theirs");
    certificates_.make_certificate("ours", "DNS:localhost,IP:127.0.0.1");
  }
  void TearDown() override { unsetenv("SSL_CERT_FILE"); }

  std::string file(const std::string& name) const { return certificates_.file(name); }

  void serve() {
    tls_port_ = free_port();
    server_.emplace(std::vector<std::string>{
        "--tls-port", tls_port_, "--tls-cert-file", file("server.pem"), "--tls-key-file",
        file("server.key"), "--tls-ca-cert-file", file("ours.pem"), "--tls-auth-clients", "no"});
  }
  // Asks a host for the state of the index, and trusts one authority.
  std::string told(const std::string& authority, const std::string& host) {
    setenv("SSL_CERT_FILE", file(authority + ".pem").c_str(), 1);
    RedisIndex index(parse_redis_address("rediss://" + host + ":" + tls_port_, "").value(), "t");
    auto state = wait(index.state());
    return state ? "it worked" : state.error().message;
  }

  Certificates certificates_;
  std::string tls_port_;
  std::optional<RedisServer> server_;
};

TEST_F(RedisTls, ConnectsToATrustedServer) {
  serve();
  EXPECT_EQ(told("ours", "localhost"), "it worked");
  EXPECT_EQ(told("ours", "127.0.0.1"), "it worked");
}

TEST_F(RedisTls, CarriesLargeMessagesBothWays) {
  serve();
  setenv("SSL_CERT_FILE", file("ours.pem").c_str(), 1);
  RedisIndex index(parse_redis_address("rediss://localhost:" + tls_port_, "").value(), "t");
  std::vector<change::Change> changes;
  for (std::uint64_t i = 0; i < 20'000; ++i)
    changes.push_back({"42", Ulid::make(i, {}), {}, cell("en", 5)});
  ASSERT_TRUE(wait(index.put(changes)));
  RankRange range{Cell{}, 0, 20'000};
  auto slices = wait(index.ranks()->slices("42", {&range, 1})).value();
  ASSERT_EQ(slices.at(0).size(), changes.size());
  EXPECT_EQ(slices[0].back(), changes.back().id);
}

TEST_F(RedisTls, RefusesAServerOfAnotherAuthority) {
  serve();
  EXPECT_NE(told("theirs", "localhost").find("certificate verify failed"), std::string::npos);
}

TEST_F(RedisTls, RefusesAServerOfAnotherName) {
  certificates_.make_certificate("ours", "DNS:localhost.example,IP:127.0.0.2");
  serve();
  EXPECT_NE(told("ours", "localhost").find("certificate verify failed"), std::string::npos);
  EXPECT_NE(told("ours", "127.0.0.1").find("certificate verify failed"), std::string::npos);
}

TEST_F(RedisTls, RefusesAServerWithoutTls) {
  serve();
  tls_port_ = server_->port();
  EXPECT_TRUE(told("ours", "localhost").starts_with("The page index does not answer ("));
}

}  // namespace
}  // namespace quire::redis
