// The service in memory, as a client sees it: it applies requests to a PlainTable, and fails as a
// test asks.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "loop/loop.h"
#include "store/dynamodb/comments/writes.h"
#include "store/dynamodb/plain_table.h"

namespace quire::dynamodb {

enum class Fault {
  none,
  not_applied,  // 500, and the request was not applied
  applied,      // 500, and the request was applied all the same
  conflict,     // another transaction wrote the same items
  throttled,
  refused,  // for good
};

class PlainService {
 public:
  PlainTable table;
  std::map<std::string, std::size_t> asked;  // by operation
  std::string stream_arn = {};               // the table's; empty: it has none
  std::size_t page = 1000;                   // items of an answer at most
  std::size_t batch = 100;                   // keys of a batch that are answered at once
  // The fault of a request with this operation and body.
  std::function<Fault(const std::string&, const boost::json::object&)> fault;
  // Called when a query was applied and its answer is on the way.
  std::function<void()> on_the_way;
  // Called when a client waits before it tries again.
  std::function<void()> on_pause;
  std::size_t under_way = 0, max_under_way = 0;  // transactions
  std::size_t queries = 0, max_queries = 0;      // under way

  Surroundings surroundings() {
    return {[this](HttpRequest request, Deadline) { return exchange(std::move(request)); },
            [](const std::string&) -> Awaitable<Result<Credentials>> {
              co_return Credentials{"key", "secret"};
            },
            [] { return 1'700'000'000'000; },
            [] { return 0.5; },
            [this](Milliseconds) {
              if (on_pause) on_pause();
              return turns(3);
            },
            [this] { return Deadline(Milliseconds(steady_ms_)); }};
  }

  // Lets this time pass, for what clients keep. None passes by itself.
  void pass(Milliseconds time) { steady_ms_ += time.count(); }

  // Lets everything else that is ready run first, `count` times.
  static Awaitable<void> turns(std::size_t count) {
    auto executor = co_await boost::asio::this_coro::executor;
    for (; count > 0; --count) co_await boost::asio::post(executor, boost::asio::use_awaitable);
  }

 private:
  Awaitable<Result<HttpResponse>> exchange(HttpRequest request) {
    std::string operation;
    for (const auto& [name, value] : request.headers) {
      if (name == "x-amz-target") operation = value.substr(value.rfind('.') + 1);
    }
    auto body = boost::json::parse(request.body).as_object();
    ++asked[operation];
    Fault what = fault ? fault(operation, body) : Fault::none;
    bool transaction = operation == "TransactWriteItems";
    if (transaction) max_under_way = std::max(max_under_way, ++under_way);
    if (operation == "Query") max_queries = std::max(max_queries, ++queries);
    co_await turns(1 + random_() % 5);
    HttpResponse reply = treated(what, operation, body);
    if (operation == "Query") --queries;
    if (operation == "Query" && on_the_way) on_the_way();
    co_await turns(1 + random_() % 5);
    if (transaction) --under_way;
    co_return reply;
  }

  HttpResponse treated(Fault what, const std::string& operation, const boost::json::object& body) {
    if (what == Fault::not_applied) return failed(500, "InternalServerError");
    if (what == Fault::throttled) return failed(400, "ThrottlingException");
    if (what == Fault::refused) return failed(400, "AccessDeniedException");
    if (what == Fault::conflict) return cancelled({"None", "TransactionConflict"});
    HttpResponse reply = carried_out(operation, body);
    return what == Fault::applied ? failed(500, "InternalServerError") : reply;
  }

  HttpResponse carried_out(const std::string& operation, const boost::json::object& body) {
    try {
      if (operation == "GetItem") return got(body);
      if (operation == "BatchGetItem") return got_all(body);
      if (operation == "Query") return queried(body);
      if (operation == "PutItem") return written({action_of(Action::Kind::put, body)});
      if (operation == "DeleteItem") return written({action_of(Action::Kind::remove, body)});
      if (operation == "TransactWriteItems") return transacted(body);
      if (operation == "DescribeTable") return described();
      throw std::invalid_argument("no such operation: " + operation);
    } catch (const std::exception& wrong) {
      ADD_FAILURE() << "not what the service takes: " << wrong.what();
      return failed(400, "ValidationException");
    }
  }

  HttpResponse described() const {
    boost::json::object stream{{"StreamViewType", stream_arn.empty() ? "" : "NEW_AND_OLD_IMAGES"}};
    boost::json::object key{{"AttributeName", "PK"}, {"KeyType", "HASH"}};
    boost::json::object about{{"TableStatus", "ACTIVE"},
                              {"KeySchema", boost::json::array{key}},
                              {"StreamSpecification", std::move(stream)},
                              {"LatestStreamArn", stream_arn}};
    return {200, boost::json::serialize(boost::json::object{{"Table", std::move(about)}})};
  }

  HttpResponse got(const boost::json::object& body) {
    const Item* item = table.find(decode_item(body.at("Key")).value());
    boost::json::object answer{{"ConsumedCapacity", {{"CapacityUnits", 1}}}};
    if (item) answer["Item"] = encode(*item);
    return {200, boost::json::serialize(answer)};
  }

  // The first `batch` keys; each key once, at most a hundred.
  HttpResponse got_all(const boost::json::object& body) {
    const auto& [name, request] = *body.at("RequestItems").as_object().begin();
    const auto& keys = request.as_object().at("Keys").as_array();
    std::set<PlainTable::Key> once;
    boost::json::array items, left;
    for (const auto& key : keys) {
      auto decoded = decode_item(key).value();
      if (!once.insert(PlainTable::key_in(decoded)).second)
        throw std::invalid_argument("a key twice");
      const Item* item = table.find(decoded);
      if (once.size() > batch)
        left.push_back(key);
      else if (item)
        items.push_back(encode(*item));
    }
    if (once.empty() || once.size() > 100) throw std::invalid_argument("how many keys");
    boost::json::object answer{{"Responses", {{name, std::move(items)}}}};
    answer["UnprocessedKeys"] = boost::json::object();
    if (!left.empty()) answer["UnprocessedKeys"] = {{name, {{"Keys", std::move(left)}}}};
    return {200, boost::json::serialize(answer)};
  }

  // Queries the table itself, forward, perhaps up to a sort key.
  // The items of an index's partition, in no order.
  HttpResponse listed(const std::string& name, const std::string& partition) {
    boost::json::array items;
    for (const auto& [key, item] : table.items)
      if (auto found = item.find(name); found != item.end() && found->second.text == partition)
        items.push_back(encode(item));
    boost::json::object answer{{"ConsumedCapacity", {{"CapacityUnits", 0.5}}}};
    answer["Items"] = std::move(items);
    return {200, boost::json::serialize(answer)};
  }

  HttpResponse queried(const boost::json::object& body) {
    auto condition = expression_of(body, "KeyConditionExpression");
    if (body.contains("IndexName") && condition.text == "#p = :p")
      return listed(condition.names.at("#p"), condition.values.at(":p").text);
    bool bounded = condition.text == "#p = :p AND #s <= :b" && condition.names.at("#s") == "SK";
    if ((condition.text != "#p = :p" && !bounded) || condition.names.at("#p") != "PK" ||
        body.contains("IndexName"))
      throw std::invalid_argument("a query of something else");
    auto end = bounded ? condition.values.at(":b").text : "\x7f";
    PlainTable::Key from{condition.values.at(":p").text, ""};
    if (auto* start = body.if_contains("ExclusiveStartKey"))
      from = PlainTable::key_in(decode_item(*start).value());
    boost::json::array items;
    boost::json::object answer{{"ConsumedCapacity", {{"CapacityUnits", 0.5}}}};
    for (auto at = table.items.upper_bound(from); at != table.items.end(); ++at) {
      if (at->first.first != from.first || at->first.second > end) break;
      items.push_back(encode(at->second));
      if (items.size() < page) continue;
      answer["LastEvaluatedKey"] = encode(key_of(at->first.first, at->first.second));
      break;
    }
    answer["Items"] = std::move(items);
    return {200, boost::json::serialize(answer)};
  }

  HttpResponse written(const std::vector<Action>& actions) {
    if (table.apply(actions).empty()) return {200, "{}"};
    return failed(400, "ConditionalCheckFailedException");
  }

  // Applies a transaction once per token, however often it is sent.
  HttpResponse transacted(const boost::json::object& body) {
    std::string token(body.at("ClientRequestToken").as_string());
    std::string all = boost::json::serialize(body);
    if (token.empty() || token.size() > 36) throw std::invalid_argument("the token's length");
    if (all.size() > 4'000'000) throw std::invalid_argument("more than 4 MB");
    auto known = tokens_.find(token);
    if (known != tokens_.end() && known->second != all)
      throw std::invalid_argument("another transaction under the same token");
    if (known != tokens_.end()) return {200, "{}"};
    std::vector<Action> actions;
    for (const auto& each : body.at("TransactItems").as_array()) {
      const auto& [name, content] = *each.as_object().begin();
      actions.push_back(
          action_of(name == "Put" ? Action::Kind::put : Action::Kind::remove, content.as_object()));
    }
    auto reasons = table.apply(actions);
    if (!reasons.empty()) return cancelled(reasons);
    tokens_.emplace(token, all);
    return {200, "{}"};
  }

  static Expression expression_of(const boost::json::object& body, std::string_view field) {
    Expression out{std::string(body.at(field).as_string())};
    if (auto* names = body.if_contains("ExpressionAttributeNames")) {
      for (const auto& [name, attribute] : names->as_object())
        out.names.emplace(name, attribute.as_string());
    }
    if (auto* values = body.if_contains("ExpressionAttributeValues"))
      out.values = decode_item(*values).value();
    return out;
  }

  static Action action_of(Action::Kind kind, const boost::json::object& body) {
    Action action{kind, decode_item(body.at(kind == Action::Kind::put ? "Item" : "Key")).value()};
    if (body.contains("ConditionExpression"))
      action.condition = expression_of(body, "ConditionExpression");
    return action;
  }

  static HttpResponse failed(unsigned status, const std::string& name) {
    return {status, R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + name + R"("})"};
  }

  static HttpResponse cancelled(const std::vector<std::string>& reasons) {
    boost::json::array all;
    for (const auto& reason : reasons) all.push_back(boost::json::object{{"Code", reason}});
    boost::json::object body{{"__type", "x#TransactionCanceledException"},
                             {"CancellationReasons", std::move(all)}};
    return {400, boost::json::serialize(body)};
  }

  std::atomic<Milliseconds::rep> steady_ms_ = 3'600'000;
  std::map<std::string, std::string> tokens_;  // with the transaction of each
  std::mt19937_64 random_{20261121};
};

// A process with a table: all parts of a TableStore but its thread.
struct Process {
  Process(boost::asio::io_context& context, PlainService& service,
          StatisticsBy by = StatisticsBy::write)
      : client({"t", "eu-west-1", {false, "localhost", "80"}}, service.surroundings()),
        totals(client),
        commits(context, client, totals, empty_lists, by),
        parts(client),
        writes(client, commits, parts, totals) {}

  TableClient client;
  TotalsCache totals;
  EmptyLists empty_lists{std::chrono::seconds(0)};
  Commits commits;
  KnownParts parts;
  Writes writes;
};

// The ways of statistics, for a test of each.
inline const auto each_way = testing::Values(StatisticsBy::write, StatisticsBy::stream);
inline constexpr auto name_of_way = [](const auto& by) {
  return by.param == StatisticsBy::write ? "write" : "stream";
};

// A loop of the test's own.
class Looped {
 public:
  boost::asio::io_context context{1};

  // Runs all of them concurrently to completion.
  template <class T>
  std::vector<T> run_all(std::vector<Awaitable<T>> works) {
    std::optional<std::vector<T>> results;
    auto work = [&]() -> Awaitable<void> { results.emplace(co_await all(std::move(works))); };
    boost::asio::co_spawn(context, work, [](std::exception_ptr thrown) {
      if (thrown) std::rethrow_exception(thrown);
    });
    context.restart();
    context.run();
    return std::move(*results);
  }

  template <class T>
  T run(Awaitable<T> work) {
    std::vector<Awaitable<T>> works;
    works.push_back(std::move(work));
    return std::move(run_all(std::move(works)).front());
  }
};

}  // namespace quire::dynamodb
