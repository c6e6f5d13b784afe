#include "cli/importing/import_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "cli/asking/tries.h"
#include "model/comment_json.h"

namespace quire::cli {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr auto answer_patience = 5min;  // for one answer: a table may take few rows a second

std::string query_of(const ServerImportOptions& options) {
  std::string query;
  auto add = [&](bool wanted, std::string_view name) {
    if (wanted) query.append(query.empty() ? "" : "&").append(name).append("=true");
  };
  add(options.update, "update");
  add(options.again, "again");
  add(options.new_customers, "new_customers");
  return query;
}

std::string with_id(std::string_view row, const Ulid& id) {
  auto object = json::parse(row).as_object();
  object["id"] = id.text();
  return json::serialize(object);
}

desk::ImportCounts counts_of(const json::object& summary) {
  auto count = [&](std::string_view name) -> std::uint64_t {
    const auto* value = summary.if_contains(name);
    return value && value->is_int64() ? static_cast<std::uint64_t>(value->get_int64()) : 0;
  };
  return {.added = count("added"),
          .known = count("known"),
          .differing = count("differing"),
          .updated = count("updated"),
          .removed_here = count("removed_here"),
          .rejected = count("rejected")};
}

}  // namespace

Result<std::unique_ptr<ServerImport>> ServerImport::open(const ServerImportOptions& options,
                                                         Rejected rejected) {
  TRY(auto server, AskedServer::at(options.server, options.token_file));
  return std::unique_ptr<ServerImport>(
      new ServerImport(std::move(server), query_of(options), std::move(rejected)));
}

ServerImport::ServerImport(std::unique_ptr<AskedServer> server, std::string query,
                           Rejected rejected)
    : server_(std::move(server)), query_(std::move(query)), rejected_(std::move(rejected)) {}

// The answer to a part under way uses what is destroyed next.
ServerImport::~ServerImport() {
  if (sending_.valid()) sending_.wait();
}

Status ServerImport::add(std::string_view row, std::uint64_t number) {
  TRY(auto parsed, parse_row(row));
  SentRow sent{number, std::string(row)};
  if (std::holds_alternative<CustomerKeyRow>(parsed)) key_ = row;
  const auto* comment = std::get_if<Row>(&parsed);
  if (comment && !comment->id)
    append(with_id(row, ids_.id(comment->draft)), std::move(sent));
  else
    append(row, std::move(sent));
  return Done{};
}

// Each part tells the key that was told last: the server sees each as a file of its own.
void ServerImport::append(std::string_view line, SentRow row) {
  bool full = part_.rows.size() == part_rows || part_.body.size() + line.size() >= part_bytes;
  if (full && !part_.rows.empty()) flush();
  if (part_.rows.empty() && !key_.empty() && key_ != line) {
    part_.body.append(key_) += '\n';
    part_.rows.push_back({row.number, key_});
  }
  part_.body.append(line) += '\n';
  part_.rows.push_back(std::move(row));
}

void ServerImport::next_file() {
  ids_ = {};
  key_.clear();
  if (!part_.rows.empty()) flush();  // its rows may have a key that the new file has not
}

Status ServerImport::finish() {
  if (!part_.rows.empty()) flush();
  join();
  if (failed_) return *failed_;
  return quire::Done{};
}

void ServerImport::flush() {
  join();
  sent_ = std::exchange(part_, {});
  if (!failed_) sending_ = std::async(std::launch::async, [this] { return send(sent_); });
}

void ServerImport::join() {
  if (!sending_.valid()) return;
  auto answer = sending_.get();
  if (!answer) {
    failed_ = answer.error();
    return;
  }
  const auto& counts = answer->counts;
  counts_.added += counts.added;
  counts_.known += counts.known;
  counts_.differing += counts.differing;
  counts_.updated += counts.updated;
  counts_.removed_here += counts.removed_here;
  counts_.rejected += counts.rejected;
  for (const auto& [line, reason] : answer->refusals) {
    const auto& row = sent_.rows.at(line - 1);
    rejected_(row.number, row.text, reason);
  }
}

Result<ServerImport::Answer> ServerImport::send(const Part& part) {
  for (Tries tries;;) {
    auto tried = attempt(part.body);
    if (auto* answer = std::get_if<Answer>(&tried)) {
      auto beyond = [&](const Refusal& refusal) {
        return refusal.line < 1 || refusal.line > part.rows.size();
      };
      const auto& refusals = answer->refusals;
      if (answer->counts.rejected == refusals.size() &&
          std::none_of(refusals.begin(), refusals.end(), beyond))
        return std::move(*answer);
      return server_->fault("does not say which rows it refuses");
    }
    auto& failure = std::get<Failure>(tried);
    if (!failure.passing || !tries.again()) return std::move(failure.error);
  }
}

ServerImport::Tried ServerImport::attempt(const std::string& body) {
  HttpRequest request{.path = "/v1/import", .query = query_, .body = body};
  request.headers = {{"content-type", "application/jsonl"}};
  auto response = server_->ask(std::move(request), answer_patience);
  if (!response) return Failure{response.error(), true};
  if (response->status == 200) {
    auto tried = answer_in(response->body);
    auto* failure = std::get_if<Failure>(&tried);
    if (failure && failure->error.message.empty())
      failure->error = server_->fault("answers, and not as Quire does");
    return tried;
  }
  auto detail = detail_of(response->body);
  bool passing = is_passing(response->status);
  if (response->status == 404 || !detail)
    return Failure{server_->fault(fmt::format("answers with status {}, and takes no imports",
                                              response->status)),
                   passing};
  auto code = response->status == 400 || response->status == 422 ? ErrorCode::invalid_parameter
                                                                 : ErrorCode::unavailable;
  return Failure{{code, std::move(*detail)}, passing};
}

// An error without a message: these are no lines of Quire.
ServerImport::Tried ServerImport::answer_in(const std::string& body) {
  Answer answer;
  for (std::string_view rest = body; !rest.empty();) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    boost::system::error_code wrong;
    auto value = json::parse(line, wrong);
    const auto* object = wrong ? nullptr : value.if_object();
    if (!object) break;
    if (auto detail = detail_of(line)) {
      const auto* status = object->if_contains("status");
      bool passing = status && status->is_int64() && status->get_int64() == 503;
      return Failure{{ErrorCode::unavailable, std::move(*detail)}, passing};
    }
    const auto* number = object->if_contains("line");
    const auto* reason = object->if_contains("reason");
    if (number && number->is_int64() && reason && reason->is_string()) {
      answer.refusals.push_back(
          {static_cast<std::size_t>(number->get_int64()), std::string(reason->get_string())});
    } else if (object->contains("added") && rest.empty()) {
      answer.counts = counts_of(*object);
      return answer;
    }
  }
  return Failure{{ErrorCode::unavailable, ""}, true};
}

}  // namespace quire::cli
