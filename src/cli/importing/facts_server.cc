#include "cli/importing/facts_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "cli/asking/tries.h"

namespace quire::cli {
namespace {

constexpr std::size_t at_once = 32;  // products, each over a connection of its own
constexpr std::chrono::seconds patience{60};

HttpRequest request_of(const NamedFacts& row) {
  HttpRequest request{.method = "PUT",
                      .path = "/v1/products/" + percent_encode(row.product),
                      .body = encode_facts(row.facts)};
  request.headers = {{"content-type", "application/json"}};
  return request;
}

}  // namespace

void ServerFactsTarget::add(std::string_view json, const Origin& origin) {
  auto row = parse_facts_row(json);
  if (!row) return rejects_.add(origin, row.error().message);
  bool known = std::any_of(waiting_.begin(), waiting_.end(),
                           [&](const Waiting& other) { return other.row.product == row->product; });
  if (known) send();
  waiting_.push_back({std::move(*row), KeptRow(origin)});
  if (waiting_.size() == at_once) send();
}

Status ServerFactsTarget::finish() {
  send();
  if (failed_) return *failed_;
  return Done{};
}

// Sends what waits; what the server may take later waits on.
void ServerFactsTarget::send() {
  for (Tries tries; !waiting_.empty() && !failed_;) {
    auto sent = std::exchange(waiting_, {});
    std::vector<HttpRequest> requests;
    for (const auto& each : sent) requests.push_back(request_of(each.row));
    auto answers = server_->ask_all(std::move(requests), patience);
    std::optional<Error> passing;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      auto why = take(answers[i], sent[i]);
      if (why) continue;
      passing = why.error();
      waiting_.push_back(std::move(sent[i]));
    }
    if (passing && !failed_ && !tries.again()) failed_ = std::move(passing);
  }
}

// Counts what became of a row. An error: another try may help.
Status ServerFactsTarget::take(const Result<HttpResponse>& answer, const Waiting& row) {
  if (!answer) return answer.error();
  auto status = answer->status;
  auto detail = detail_of(answer->body);
  bool of_row = status == 400 || status == 403 || status == 422;  // 403: by the token's prefix
  if (status == 200 || status == 201) {
    ++told_;
  } else if (of_row && detail) {
    rejects_.add(row.kept.origin(), *detail);
  } else {
    auto error = detail ? Error{ErrorCode::unavailable, std::move(*detail)}
                        : server_->fault(fmt::format(
                              "answers with status {}, and takes no facts of products", status));
    if (is_passing(status)) return error;
    failed_ = std::move(error);
  }
  return Done{};
}

}  // namespace quire::cli
