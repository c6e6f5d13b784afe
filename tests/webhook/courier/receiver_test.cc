#include "webhook/courier/receiver.h"

#include <gtest/gtest.h>

#include <boost/asio/ip/tcp.hpp>

#include "client/scripted_server.h"
#include "one_loop.h"

namespace quire::webhook {
namespace {

using tcp = boost::asio::ip::tcp;
using namespace std::string_literals;

class ReceiverTest : public testing::Test {
 protected:
  Webhook webhook(const std::string& path = "/in?a=b") {
    return {.name = "a",
            .url = "http://shop.example:" + server_.port() + path,
            .private_network = true};
  }
  // Where the name shop.example leads.
  AddressLookup::Ask leads_to(std::vector<std::string> addresses) {
    return [this, addresses = std::move(addresses)]() -> Awaitable<AddressLookup::Resolved> {
      ++lookups_;
      std::vector<tcp::endpoint> found;
      for (const auto& each : addresses)
        found.emplace_back(boost::asio::ip::make_address(each),
                           static_cast<unsigned short>(std::stoi(server_.port())));
      co_return AddressLookup::Resolved{
          {}, AddressLookup::Addresses::create(found.begin(), found.end(), {}, {})};
    };
  }
  Answer send(Receiver& receiver, std::vector<Secret> secrets = {}) {
    return loop_.run(
        receiver.send("evt_7", R"({"test": 2432232314})", std::move(secrets), 1'614'265'330'999));
  }
  Answer answer_to(const std::string& head) {
    server_.answers("HTTP/1.1 " + head + "\r\nContent-Length: 0\r\n\r\n");
    Receiver receiver(loop_.context(), webhook(), leads_to({"127.0.0.1"}));
    return send(receiver);
  }

  OneLoop loop_;
  ScriptedServer server_{loop_.context()};
  int lookups_ = 0;
};

TEST_F(ReceiverTest, GetsASignedMessage) {
  server_.answers(success(""));
  Receiver receiver(loop_.context(), webhook("/in \"x\"?a=b"), leads_to({"127.0.0.1"}));
  auto secret = *parse_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  EXPECT_EQ(send(receiver, {secret}).outcome, Outcome::delivered);
  ASSERT_EQ(server_.requests().size(), 1u);
  const auto& request = server_.requests()[0];
  EXPECT_EQ(request.method_string(), "POST");
  EXPECT_EQ(request.target(), "/in%20%22x%22?a=b");
  EXPECT_EQ(request["Host"], "shop.example:" + server_.port());
  EXPECT_EQ(request["Content-Type"], "application/json");
  EXPECT_EQ(request["webhook-id"], "evt_7");
  EXPECT_EQ(request["webhook-timestamp"], "1614265330");
  EXPECT_EQ(request["webhook-signature"],
            signatures({secret}, "evt_7", 1614265330, request.body()));
  EXPECT_EQ(request.body(), R"({"test": 2432232314})");
}

TEST_F(ReceiverTest, AnswersByItsStatus) {
  EXPECT_EQ(answer_to("204 No Content").outcome, Outcome::delivered);
  auto failed = answer_to("500 Internal Server Error");
  EXPECT_EQ(failed.outcome, Outcome::failed);
  EXPECT_EQ(failed.words, "it answered 500");
  auto busy = answer_to("429 Too Many Requests\r\nRetry-After: 7");
  EXPECT_EQ(busy.outcome, Outcome::busy);
  EXPECT_EQ(busy.rest, std::chrono::seconds(7));
  EXPECT_EQ(answer_to("410 Gone").outcome, Outcome::gone);
}

TEST_F(ReceiverTest, IsNotFollowedElsewhere) {
  auto moved =
      answer_to("301 Moved Permanently\r\nLocation: http://127.0.0.1:" + server_.port() + "/x");
  EXPECT_EQ(moved.outcome, Outcome::failed);
  EXPECT_EQ(server_.requests().size(), 1u);
}

TEST_F(ReceiverTest, OfAnInnerAddressIsNotReached) {
  auto outside = webhook();
  outside.private_network = false;
  for (auto address : {"127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254",
                       "192.168.1.1", "100.64.0.1", "fe80::1", "64:ff9b::7f00:1"}) {
    Receiver receiver(loop_.context(), outside, leads_to({address, "127.0.0.1"}));
    auto answer = send(receiver);
    EXPECT_EQ(answer.outcome, Outcome::failed) << address;
    EXPECT_NE(answer.words.find("private = true"), std::string::npos) << answer.words;
  }
  Receiver literal(loop_.context(),
                   {.name = "a", .url = "https://127.0.0.1:" + server_.port() + "/"});
  EXPECT_NE(send(literal).words.find("private = true"), std::string::npos);
  EXPECT_EQ(server_.accepted(), 0u);
}

TEST_F(ReceiverTest, IsLookedUpAgainForEachConnection) {
  auto outside = webhook();
  outside.private_network = false;
  Receiver receiver(loop_.context(), outside, leads_to({"127.0.0.1"}));
  send(receiver);
  send(receiver);
  EXPECT_EQ(lookups_, 2) << "no answer of a name server is kept";
  EXPECT_EQ(server_.accepted(), 0u);
}

}  // namespace
}  // namespace quire::webhook
