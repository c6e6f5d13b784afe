// Totals are kept for a few seconds, and read once for all concurrent callers.
#include "store/dynamodb/totals/totals_cache.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json.hpp>

#include "dynamodb/table_client.h"
#include "failing_memory.h"
#include "store/dynamodb/service.h"

namespace quire::dynamodb {
namespace {

Totals fives(std::uint64_t count) {
  return {{any, {0, 0, 0, 0, count}}, {english, {0, 0, 0, 0, count}}};
}

class TotalsOfProducts : public testing::Test, protected Looped {
 protected:
  TotalsOfProducts() { hold("42", fives(1)); }

  // The table's totals of a product.
  void hold(const std::string& product, const Totals& totals) {
    for (const auto& [language, counts] : totals) {
      Item item = statistics_item(product, language, counts);
      service_.table.items[PlainTable::key_in(item)] = item;
    }
  }
  Totals get() { return *run(cache_.get("42")).value().value; }
  std::size_t asked() { return service_.asked["Query"]; }

  PlainService service_;
  Process process_{context, service_};
  TotalsCache& cache_ = process_.totals;
};

TEST_F(TotalsOfProducts, ConcurrentCallersShareOneRequest) {
  std::vector<Awaitable<Result<Known<Totals>>>> works;
  for (int i = 0; i < 20; ++i) works.push_back(cache_.get("42"));
  double consumed = 0;
  for (const auto& known : run_all(std::move(works))) {
    EXPECT_EQ(*known.value().value, fives(1));
    consumed += known.value().consumed;
  }
  EXPECT_EQ(asked(), 1u);
  EXPECT_EQ(consumed, 0.5) << "paid once";
}

TEST_F(TotalsOfProducts, ACallerThatIsCancelledDoesNotSpoilThemForOthers) {
  namespace asio = boost::asio;
  asio::cancellation_signal signal;
  auto cancelled = [&]() -> Awaitable<void> { (void)co_await cache_.get("42"); };
  asio::co_spawn(context, cancelled,
                 asio::bind_cancellation_slot(signal.slot(), [](const std::exception_ptr&) {}));
  std::optional<Result<Known<Totals>>> known;
  auto other = [&]() -> Awaitable<void> { known = co_await cache_.get("42"); };
  asio::co_spawn(context, other, asio::detached);
  while (asked() == 0 && context.run_one() > 0) {
  }
  signal.emit(asio::cancellation_type::terminal);
  while (!known && context.run_one() > 0) {
  }
  ASSERT_TRUE(known && *known);
  EXPECT_EQ(*(*known)->value, fives(1));
  EXPECT_EQ(asked(), 1u);
}

// A write has made them, and must not be taken for a failure.
TEST_F(TotalsOfProducts, AreForgottenWhereMemoryRunsOut) {
  std::uint64_t count = 1;
  for (bool enough = false; !enough;) {
    EXPECT_EQ(get(), fives(count));
    auto totals = fives(++count);
    hold("42", totals);
    allocations_left = static_cast<int>(count) - 2;
    cache_.put("42", std::move(totals));
    enough = std::exchange(allocations_left, -1) >= 0;
  }
  EXPECT_GT(count, 2u);
  EXPECT_EQ(get(), fives(count));
}

TEST_F(TotalsOfProducts, OfManyProductsAreAskedForAtOnce) {
  std::vector<std::string> products;
  for (std::uint64_t i = 1; i <= 100; ++i) hold(products.emplace_back(std::to_string(i)), fives(i));
  auto known = run(cache_.get_all(products));
  ASSERT_EQ(known.size(), 100u);
  for (std::uint64_t i = 1; i <= 100; ++i) EXPECT_EQ(*known[i - 1].value().value, fives(i));
  EXPECT_EQ(asked(), 100u);
  EXPECT_EQ(service_.max_queries, max_group);
}

TEST_F(TotalsOfProducts, OfManyProductsAreNotAskedForAfterAnError) {
  std::vector<std::string> products;
  for (int i = 1; i <= 100; ++i) products.push_back(std::to_string(i));
  service_.fault = [](const auto&, const auto&) { return Fault::refused; };
  auto known = run(cache_.get_all(products));
  EXPECT_EQ(known.size(), max_group);
  EXPECT_FALSE(known.front());
  EXPECT_EQ(asked(), max_group);
}

TEST_F(TotalsOfProducts, AreKeptForSecondsAndForWritersUntilAWriteFails) {
  EXPECT_EQ(get(), fives(1));
  hold("42", fives(2));
  service_.pass(TotalsCache::kept - Milliseconds(1));
  EXPECT_EQ(get(), fives(1));
  EXPECT_EQ(asked(), 1u);
  service_.pass(Milliseconds(1));
  EXPECT_FALSE(cache_.fresh("42"));
  EXPECT_EQ(*run(cache_.known("42")).value().value, fives(1));
  EXPECT_EQ(asked(), 1u) << "the condition of a write notices outdated totals";
  EXPECT_EQ(get(), fives(2));
  EXPECT_EQ(asked(), 2u);
}

TEST_F(TotalsOfProducts, AWriteReplacesThem) {
  EXPECT_EQ(get(), fives(1));
  cache_.put("42", fives(7));
  EXPECT_EQ(*run(cache_.known("42")).value().value, fives(7));
  cache_.forget("42");
  EXPECT_FALSE(cache_.fresh("42"));
  hold("42", fives(9));
  EXPECT_EQ(*run(cache_.known("42")).value().value, fives(9));
}

// The result of a request that a write overtakes serves the callers that wait for it, and no later
// caller.
TEST_F(TotalsOfProducts, ARequestThatAWriteOvertakesIsNotKept) {
  service_.on_the_way = [&] {
    hold("42", fives(2));
    cache_.put("42", fives(2));
  };
  EXPECT_EQ(get(), fives(1));
  service_.on_the_way = {};
  EXPECT_EQ(*run(cache_.known("42")).value().value, fives(2));
  EXPECT_EQ(asked(), 1u);

  cache_.forget("42");
  service_.on_the_way = [&] {
    hold("42", fives(3));
    cache_.forget("42");
  };
  EXPECT_EQ(get(), fives(2));
  service_.on_the_way = {};
  EXPECT_FALSE(cache_.fresh("42"));
  EXPECT_EQ(get(), fives(3));
}

TEST_F(TotalsOfProducts, ACallAfterAWriteDoesNotJoinAnEarlierRequest) {
  std::optional<Totals> later;
  service_.on_the_way = [&] {
    service_.on_the_way = {};
    hold("42", fives(2));
    cache_.forget("42");
    boost::asio::co_spawn(
        context, [&]() -> Awaitable<void> { later = *(co_await cache_.get("42")).value().value; },
        boost::asio::detached);
  };
  EXPECT_EQ(get(), fives(1));
  EXPECT_EQ(later, fives(2));
  ASSERT_TRUE(cache_.fresh("42"));
  EXPECT_EQ(*cache_.fresh("42")->value, fives(2));
}

TEST_F(TotalsOfProducts, AConsistentReadDoesNotJoinAnInconsistentOne) {
  std::vector<bool> consistent;
  service_.fault = [&](const auto&, const boost::json::object& body) {
    consistent.push_back(body.contains("ConsistentRead"));
    return Fault::none;
  };
  std::vector<Awaitable<Result<Known<Totals>>>> works;
  works.push_back(cache_.get("42"));
  works.push_back(cache_.fetch("42"));
  works.push_back(cache_.fetch("42"));
  works.push_back(cache_.get("42"));  // may join either
  for (const auto& known : run_all(std::move(works))) EXPECT_TRUE(known);
  EXPECT_EQ(consistent, (std::vector<bool>{false, true}));
}

TEST_F(TotalsOfProducts, AFailureReachesAllCallersAndIsNotKept) {
  service_.fault = [](const auto&, const auto&) { return Fault::refused; };
  std::vector<Awaitable<Result<Known<Totals>>>> works;
  for (int i = 0; i < 5; ++i) works.push_back(cache_.get("42"));
  for (const auto& known : run_all(std::move(works)))
    EXPECT_EQ(known.error().code, ErrorCode::unavailable);
  EXPECT_EQ(asked(), 1u);
  service_.fault = {};
  EXPECT_FALSE(cache_.fresh("42"));
  EXPECT_EQ(get(), fives(1));
}

TEST_F(TotalsOfProducts, AreReadToTheEndOfAllAnswers) {
  Totals many = fives(3);
  for (const char* language : {"ar", "de", "fr", "und", "zh"})
    many[cell(language, 1)[0]] = {1, 2, 3, 4, 5};
  hold("42", many);
  hold("420", fives(9));
  service_.page = 3;
  EXPECT_EQ(get(), many);
  EXPECT_EQ(asked(), 3u);
  EXPECT_EQ(process_.client.metrics().consumed, 1.5);
}

TEST_F(TotalsOfProducts, OfAProductWithoutCommentsAreKeptToo) {
  EXPECT_EQ(*run(cache_.get("nobody")).value().value, Totals{});
  EXPECT_EQ(*run(cache_.known("nobody")).value().value, Totals{});
  EXPECT_EQ(asked(), 1u);
}

TEST_F(TotalsOfProducts, AreKeptOfALimitedNumberOfProducts) {
  constexpr std::size_t more = TotalsCache::max_products + 500;
  for (std::size_t i = 0; i < more; ++i) cache_.put(std::to_string(i), fives(i + 1));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < more; ++i) {
    auto known = run(cache_.known(std::to_string(i))).value();
    if (known.consumed > 0) continue;  // it had to ask
    EXPECT_EQ(*known.value, fives(i + 1));
    ++kept;
  }
  EXPECT_LE(kept, TotalsCache::max_products);
  EXPECT_GT(kept, TotalsCache::max_products / 2);
}

}  // namespace
}  // namespace quire::dynamodb
