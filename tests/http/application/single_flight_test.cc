// Many requests for the same page at the same time, over a store that takes its time.
#include <deque>
#include <set>

#include "http/application/application_fixture.h"
#include "loop/loop.h"

namespace quire::http {
namespace {

class SingleFlight : public ApplicationTest {
 protected:
  static constexpr std::size_t clients = 5;

  SingleFlight() {
    options_.cache = 1 << 20;
    store_.behaviour.generation = Generation{1, 1};
    store_.behaviour.takes = Milliseconds(5);
  }

  // The statuses of the responses to requests that come together.
  std::vector<unsigned> ask_together(const std::vector<std::string>& targets) {
    auto sent = fields({{"Host", host_}});
    std::deque<Request> requests;
    std::vector<Awaitable<RoutedResponse>> answers;
    for (const auto& target : targets) {
      auto& request = requests.emplace_back(
          Request{.method = Verb::get, .target = target, .headers = &sent, .id = "id"});
      EXPECT_FALSE(application().check_header(request));
      answers.push_back(application().answer(request));
    }
    std::vector<unsigned> statuses;
    for (auto& routed : wait(all(std::move(answers)))) {
      statuses.push_back(routed.response.status);
      bodies_.emplace(routed.response.bytes());
    }
    return statuses;
  }

  std::set<std::string> bodies_;
  const std::string page_ = "/v1/products/42/comments";
};

TEST_F(SingleFlight, APageIsRenderedOnce) {
  auto statuses = ask_together(std::vector(clients, page_));
  EXPECT_EQ(statuses, std::vector(clients, 200u));
  EXPECT_EQ(bodies_.size(), 1u);
  EXPECT_EQ(store_.behaviour.views, 1);
  get(page_);
  EXPECT_EQ(store_.behaviour.views, 1) << "and kept";
}

TEST_F(SingleFlight, APageWithoutATagIsShared) {
  auto statuses = ask_together(std::vector(clients, page_ + "?explain=true"));
  EXPECT_EQ(statuses, std::vector(clients, 200u));
  EXPECT_EQ(bodies_.size(), 1u);
  EXPECT_EQ(store_.behaviour.views, 1);
}

TEST_F(SingleFlight, AnErrorIsNotShared) {
  store_.behaviour.refuses = Error{ErrorCode::unavailable, "The disk is full."};
  auto statuses = ask_together(std::vector(clients, page_));
  EXPECT_EQ(statuses, std::vector(clients, 503u));
  EXPECT_EQ(store_.behaviour.views, static_cast<int>(clients));
}

TEST_F(SingleFlight, PagesOfDifferentAddressesAreRenderedApart) {
  ask_together({page_, page_ + "?rating=5"});
  EXPECT_EQ(store_.behaviour.views, 2);
}

TEST_F(SingleFlight, AStoreWithoutGenerationsHasNoCache) {
  store_.behaviour.generation = {};
  ask_together(std::vector(clients, page_));
  get(page_);
  EXPECT_EQ(store_.behaviour.views, static_cast<int>(clients) + 1);
}

}  // namespace
}  // namespace quire::http
