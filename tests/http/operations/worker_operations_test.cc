// What a projection worker answers to operators.
#include "http/operations/operations.h"

#include <gtest/gtest.h>

#include "loop/loop.h"

namespace quire::http {
namespace {

class WorkerOperationsTest : public testing::Test {
 protected:
  Response readyz(FollowedTarget target) {
    WorkerOperations operations(
        metrics_, [&] { return std::vector{target}; }, 60);
    Request request{};
    request.target = "/readyz";
    return wait(operations.answer(request)).response;
  }

  Metrics metrics_{WorkerOperations::route_names()};
};

TEST_F(WorkerOperationsTest, IsReadyIfItIsNotFarBehind) {
  auto ready = readyz({"page index", 59, ""});
  EXPECT_EQ(ready.status, 200u);
  EXPECT_EQ(ready.body, "ready\n");
  EXPECT_EQ(ready.type, "text/plain; charset=utf-8");
}

TEST_F(WorkerOperationsTest, SaysHowFarItIsBehind) {
  auto late = readyz({"page index", 61, ""});
  EXPECT_EQ(late.status, 503u);
  EXPECT_NE(late.body.find("The page index is 61 s behind."), std::string::npos) << late.body;
}

TEST_F(WorkerOperationsTest, SaysThatTheLagIsNotKnownYet) {
  auto unknown = readyz({"page index", {}, ""});
  EXPECT_EQ(unknown.status, 503u);
  EXPECT_NE(unknown.body.find("The lag of the page index is not known yet"), std::string::npos)
      << unknown.body;
  EXPECT_EQ(unknown.body.find("nan"), std::string::npos) << unknown.body;
}

TEST_F(WorkerOperationsTest, NamesTheTrouble) {
  auto trouble = readyz({"page index", {}, "It burns."});
  EXPECT_EQ(trouble.status, 503u);
  EXPECT_NE(trouble.body.find("The page index: It burns."), std::string::npos) << trouble.body;
}

}  // namespace
}  // namespace quire::http
