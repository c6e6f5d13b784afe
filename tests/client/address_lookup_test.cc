// Looking up a name at a name server that answers late, never, or with an error.
#include "client/address_lookup.h"

#include <gtest/gtest.h>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "loop/awaitable.h"
#include "loop/loop.h"
#include "one_loop.h"

namespace quire {
namespace {

namespace asio = boost::asio;

class NameServer : public testing::Test {
 protected:
  Awaitable<AddressLookup::Resolved> ask() {
    ++asked_;
    co_await asio::post(loop_.context(), asio::use_awaitable);  // others get their turn
    if (silent_) co_await held_.async_wait(await);
    asio::ip::tcp::endpoint endpoint(asio::ip::make_address("192.0.2.7"), 8000);
    if (failure_) co_return AddressLookup::Resolved{failure_, {}};
    co_return AddressLookup::Resolved{
        {}, AddressLookup::Addresses::create(endpoint, "table.test", "8000")};
  }
  Awaitable<AddressLookup::Resolved> wait_for(Deadline::duration patience) {
    return lookup_.addresses(std::chrono::steady_clock::now() + patience);
  }
  // The address that is found, or the error.
  std::string find(Deadline::duration patience) { return shown(loop_.run(wait_for(patience))); }
  std::vector<std::string> find_at_once(std::vector<Deadline::duration> patiences) {
    std::vector<Awaitable<AddressLookup::Resolved>> works;
    for (auto patience : patiences) works.push_back(wait_for(patience));
    std::vector<std::string> all_shown;
    for (const auto& found : loop_.run(all(std::move(works)))) all_shown.push_back(shown(found));
    return all_shown;
  }
  static std::string shown(const AddressLookup::Resolved& found) {
    const auto& [failed, addresses] = found;
    return failed ? failed.message() : addresses.begin()->endpoint().address().to_string();
  }
  // The server gives the answer that it owes, and from now on it answers at once.
  void answer() {
    silent_ = false;
    held_.cancel();
  }

  OneLoop loop_;
  asio::steady_timer held_{loop_.context(), asio::steady_timer::time_point::max()};
  bool silent_ = false;
  boost::system::error_code failure_;
  std::size_t asked_ = 0;
  AddressLookup lookup_{[this] { return ask(); }};
};

constexpr std::chrono::milliseconds moment{20};
constexpr std::chrono::hours unending{1};  // longer than a test may take

TEST_F(NameServer, GivesAddressesToAllWhoAskAtTheSameTime) {
  EXPECT_EQ(find_at_once({unending, unending, unending}), std::vector<std::string>(3, "192.0.2.7"));
  EXPECT_EQ(asked_, 1u);
  EXPECT_EQ(find(unending), "192.0.2.7");
  EXPECT_EQ(asked_, 2u) << "addresses may change";
}

TEST_F(NameServer, ThatIsSilentKeepsNobodyBeyondTheDeadline) {
  silent_ = true;
  EXPECT_EQ(find(moment), "Connection timed out");
  EXPECT_EQ(find_at_once({moment, moment}), std::vector<std::string>(2, "Connection timed out"));
  EXPECT_EQ(asked_, 1u) << "the question stands, however many wait for its answer";
}

TEST_F(NameServer, ThatAnswersLateServesThoseWhoStillWait) {
  silent_ = true;
  EXPECT_EQ(find(moment), "Connection timed out");
  auto impatient = [&]() -> Awaitable<AddressLookup::Resolved> {
    auto found = co_await wait_for(moment);
    answer();
    co_return found;
  };
  std::vector<Awaitable<AddressLookup::Resolved>> works;
  works.push_back(impatient());
  works.push_back(wait_for(unending));
  auto found = loop_.run(all(std::move(works)));
  EXPECT_EQ(shown(found[0]), "Connection timed out");
  EXPECT_EQ(shown(found[1]), "192.0.2.7");
  EXPECT_EQ(asked_, 1u);
}

TEST_F(NameServer, ThatDoesNotKnowTheNameIsAskedAgain) {
  failure_ = asio::error::host_not_found;
  EXPECT_EQ(find_at_once({unending, unending}),
            std::vector<std::string>(2, "Host not found (authoritative)"));
  failure_ = {};
  EXPECT_EQ(find(unending), "192.0.2.7");
  EXPECT_EQ(asked_, 2u);
}

TEST_F(NameServer, MayAnswerWhenNobodyIsLeft) {
  silent_ = true;
  {
    AddressLookup lookup([this] { return ask(); });
    EXPECT_EQ(shown(loop_.run(lookup.addresses(std::chrono::steady_clock::now() + moment))),
              "Connection timed out");
  }
  answer();
  EXPECT_EQ(find(unending), "192.0.2.7");
  EXPECT_EQ(asked_, 2u);
}

}  // namespace
}  // namespace quire
