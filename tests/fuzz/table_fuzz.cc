// Fuzzes the answers of DynamoDB: decodes each one by itself, and reads a page, a comment or
// statistics from them. Input: a byte that chooses the request and the way of statistics, then
// answers with a line
// "--" between them. A refusal begins with "!" and has two lines of headers: date and retry time.
#include <spdlog/spdlog.h>

#include <boost/json.hpp>

#include "dynamodb/credentials/credentials.h"
#include "dynamodb/credentials/provider.h"
#include "fuzz.h"
#include "listing/lists/maker.h"
#include "loop/loop.h"
#include "model/document.h"
#include "model/validate.h"
#include "service/comments.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/comments/view.h"
#include "store/dynamodb/items/list_page.h"
#include "store/dynamodb/provision/table.h"
#include "store/dynamodb/totals/marks.h"

namespace quire::fuzz {
namespace {

using namespace dynamodb;

constexpr std::size_t max_requests = 60;

void check_document(std::string_view document) {
  auto comment = decode_document(document);
  require(comment.has_value(), "a document of the table can be read");
  boost::system::error_code no_json;
  boost::json::parse(document_json(document), no_json);
  require(!no_json, "a document of the table is JSON");
}

void check_item(const Item& item) {
  require(decode_item(encode(item)) == item, "an item is re-encoded unchanged");
  billed_bytes(item);
  Totals totals;
  add_statistics(totals, item);
  change::State state;
  add_to_state(state, item);
  auto comment = comment_of(item);
  if (!comment) return;
  check_document(encode_document(*comment));
  require(comment_of(comment_item(*comment)) == *comment,
          "the item of a comment gives the comment back");
}

void check_credentials(std::string_view text) {
  for (const auto& found :
       {credentials_of_answer(text), credentials_of(section_of(text, "default")),
        credentials_of_process(text), credentials_of_sign_on(text), credentials_of_role(text)}) {
    if (found) require(is_plain(found->access_key), "an access key can go into a header");
  }
}

void check_command(std::string_view text) {
  if (auto words = words_of(text)) require(!words->front().empty(), "a command has a program");
}

void decode(std::string_view body) {
  check_command(body);
  check_credentials(body);
  if (auto page = decode_page(body)) {
    for (const auto& item : page->items) check_item(item);
    if (page->last) check_item(*page->last);
  }
  if (auto got = decode_get(body); got && got->item) check_item(*got->item);
  for (const auto& which : {Cell{}, cell("en", 5)}) {
    auto list = decode_list_page(body, "42", which);
    if (!list) continue;
    for (const auto& entry : list->entries) {
      check_document(entry.document);
      auto comment = decode_document(entry.document);
      require(comment->id == entry.id && comment->product == "42", "an entry is of its list");
    }
    require(list->end || !list->entries.empty() || list->last,
            "a page that is not the end leads on");
  }
  if (auto table = decode_table(body)) differences(*table);
  decode_expiry(body);
  for (unsigned status : {400u, 500u}) {
    auto failure = classify(status, body);
    require(!error_of(failure).message.empty(), "a refusal says why");
  }
}

// Sends the answers of the input, then only refusals.
class Script {
 public:
  explicit Script(std::string_view text) : rest_(text) {}

  Surroundings surroundings() {
    return {[this](HttpRequest, Deadline) { return exchange(); },
            [](const std::string&) -> Awaitable<Result<Credentials>> {
              co_return Credentials{"key", "secret"};
            },
            [] { return 1'732'104'060'155; }, [] { return 0.5; },
            [](Milliseconds) -> Awaitable<void> { co_return; }};
  }

 private:
  Awaitable<Result<HttpResponse>> exchange() {
    require(++asked_ < max_requests, "few requests make an answer");
    if (rest_.empty()) co_return HttpResponse{400, R"({"__type":"ValidationException"})"};
    auto body = take_until(rest_, "\n--\n");
    if (!body.starts_with('!')) co_return HttpResponse{200, std::string(body)};
    HttpResponse refusal{body.starts_with("!4") ? 400u : 500u, {}};
    refusal.headers.emplace_back("date", take_until(body, "\n").substr(1));
    refusal.headers.emplace_back("x-amz-retry-after", take_until(body, "\n"));
    refusal.body = body;
    co_return refusal;
  }

  std::string_view rest_;
  std::size_t asked_ = 0;
};

// A store that only reads.
class ScriptedStore : public Store {
 public:
  ScriptedStore(const Address& address, Script& script) : access_(address, script.surroundings()) {}

  CostModel costs() const override { return {1, {1, 1, 1, 1}, 0}; }
  std::unique_ptr<View> view() override { return std::make_unique<TableView>(access_); }
  Awaitable<Status> ready() override { co_return Done{}; }
  Awaitable<Result<std::string>> insert(Comment, std::optional<RequestKey>,
                                        CustomerTerms) override {
    co_return Error{ErrorCode::unavailable, "It only reads."};
  }
  Awaitable<Result<Edited>> update(Ulid, Patch, Condition, Moderate) override {
    co_return Error{ErrorCode::unavailable, "It only reads."};
  }
  Awaitable<Result<std::string>> remove(Ulid, Condition) override {
    co_return Error{ErrorCode::unavailable, "It only reads."};
  }
  Awaitable<Result<Imported>> import_rows(std::vector<ImportRow>, ImportTerms) override {
    co_return Error{ErrorCode::unavailable, "It only reads."};
  }
  Awaitable<Status> keep_removed(std::vector<Ulid>) override { co_return Done{}; }

 private:
  TableAccess access_;
};

void read_page(Comments& comments) {
  Query query{.product = "42", .ratings = {4, 5}, .limit = 3};
  auto page = wait(comments.page(query));
  if (!page) return;
  require(page->rows.size() <= query.limit, "a page keeps its limit");
  for (const auto& row : page->rows) check_document(row.document);
  if (auto as_of = wait(comments.as_of(*page)); as_of && *as_of) time_text(**as_of);
}

void read_comment(Comments& comments) {
  auto found = wait(comments.get(Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value()));
  if (found) check_document(found->document);
}

void read_statistics(Comments& comments) {
  const Query query{.product = "42"};
  auto statistics = wait(comments.statistics(query));
  if (!statistics) return;
  for (auto document : {statistics->latest, statistics->latest_critical})
    if (!document.empty()) check_document(document);
}

void read_leaders(Comments& comments) {
  auto board = wait(comments.leaderboard(Leaders::average, "en", 3));
  if (board) require(board->leaders.size() <= 3, "a leaderboard keeps its limit");
}

void read_products(Comments& comments) {
  auto products = wait(comments.products({}, 3));
  if (products) require(products->size() <= 3, "a list of products keeps its limit");
}

void read(const Address& address, std::size_t how, std::string_view text) {
  Script script(text);
  ScriptedStore store(address, script);
  Comments comments(store, lists::listings_of(store), Seal({Seal::Key{1}}),
                    [] { return 1'732'104'060'155; });
  constexpr std::array ways{read_page, read_comment, read_statistics, read_leaders, read_products};
  ways[how % ways.size()](comments);
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  auto text = text_of(data, size);
  static const auto by_write =
      quire::dynamodb::parse_address("dynamodb:comments?endpoint=http://127.0.0.1:1", "eu-west-1")
          .value();
  static const auto by_stream =
      quire::dynamodb::parse_address(
          "dynamodb:comments?endpoint=http://127.0.0.1:1&statistics=stream", "eu-west-1")
          .value();
  spdlog::set_level(spdlog::level::off);
  auto first = take_byte(text);
  for (auto rest = text; !rest.empty();) decode(take_until(rest, "\n--\n"));
  read(first % 2 == 1 ? by_stream : by_write, first / 2, text);
  return 0;
}
