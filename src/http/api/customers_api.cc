#include "http/api/customers_api.h"

#include <sys/random.h>

#include <boost/json.hpp>
#include <stdexcept>

#include "base/clock.h"
#include "base/limits.h"
#include "base/text.h"
#include "http/access/customers.h"
#include "http/access/tokens.h"
#include "http/api/writers.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/document.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire::http {
namespace {

namespace json = boost::json;

constexpr std::size_t invitations_depth = 4;
constexpr std::int64_t default_days = 60, max_days = 365;
constexpr std::uint64_t ms_of_a_day = 24 * 60 * 60 * 1000;

Response knows_no_customers() {
  return problem("forbidden", "A table that others made has no customers.");
}

// What is kept of a customer is of all products.
Response needs_all_products() {
  return problem("forbidden",
                 "This token is for the products of its prefix. What is kept of a customer needs a "
                 "token for all products.");
}

struct InvitationRequest {
  identity::Invitation invitation;
  std::vector<FieldError> errors;
};

// The text of a member; "" with an error where it is missing and needed, or no text.
std::string text_of(const json::object& object, std::string_view name, InvitationRequest& asked,
                    bool needed = true) {
  const auto* value = object.if_contains(name);
  if (value && value->is_string()) return std::string(value->get_string());
  if (value || needed) asked.errors.push_back({std::string(name), "must be a text"});
  return {};
}

void read_days(const json::object& object, std::uint64_t now_ms, InvitationRequest& asked) {
  const auto* value = object.if_contains("days");
  auto days = value && value->is_int64() ? value->get_int64() : value ? 0 : default_days;
  if (days < 1 || days > max_days)
    asked.errors.push_back({"days", "must be a whole number from 1 to 365"});
  else
    asked.invitation.ends_ms = now_ms + static_cast<std::uint64_t>(days) * ms_of_a_day;
}

InvitationRequest invitation_in(const json::value& value, const identity::CustomerKey& key,
                                std::uint64_t now_ms) {
  InvitationRequest asked;
  const auto* object = value.if_object();
  if (!object) {
    asked.errors.push_back({"invitation", "must be an object of product, customer, name and days"});
    return asked;
  }
  for (const auto& [name, member] : *object) {
    if (name != "product" && name != "customer" && name != "name" && name != "days")
      asked.errors.push_back({std::string(shortened(name)), "is no member of an invitation"});
  }
  auto& invitation = asked.invitation;
  invitation.product = text_of(*object, "product", asked);
  auto customer = text_of(*object, "customer", asked);
  invitation.name = text_of(*object, "name", asked, false);
  read_days(*object, now_ms, asked);
  if (!asked.errors.empty()) return asked;
  if (check_product(invitation.product))
    asked.errors.push_back({"product", "must have 1 to 256 bytes of UTF-8"});
  if (customer.empty() || customer.size() > identity::max_customer_bytes)
    asked.errors.push_back({"customer", "must have 1 to 128 bytes"});
  auto size = characters(invitation.name, "");
  if (!size || *size > limits::author_characters)
    asked.errors.push_back({"name", "has at most 100 characters, and no control character"});
  invitation.customer = key.hash(customer);
  if (getrandom(invitation.id.data(), invitation.id.size(), 0) !=
      static_cast<ssize_t>(invitation.id.size()))
    throw std::runtime_error("the operating system gives no random bytes");
  return asked;
}

// The errors with the place of their invitation before their names.
std::vector<FieldError> placed(std::vector<FieldError> errors, std::size_t place) {
  for (auto& error : errors)
    error.field = "invitations." + std::to_string(place) + "." + error.field;
  return errors;
}

// A customer, as the shop's programs ask for what is kept.
struct Person {
  std::string id;
  bool keep_ratings = false;
};

Result<Person> person_in(std::string_view text, bool erases) {
  auto body = parse_unique(text, invitations_depth);
  if (!body) return body.error();
  const auto* object = body->if_object();
  if (!object) return invalid_comment({{"customer", "is the member that the body needs"}});
  Person person;
  std::vector<FieldError> errors;
  for (const auto& [name, value] : *object) {
    if (name == "customer" && value.is_string())
      person.id = value.get_string();
    else if (name == "keep_ratings" && erases && value.is_bool())
      person.keep_ratings = value.get_bool();
    else
      errors.push_back({std::string(shortened(name)), "is no member here, or has another type"});
  }
  if (person.id.empty() || person.id.size() > identity::max_customer_bytes)
    errors.push_back({"customer", "must have 1 to 128 bytes"});
  if (!errors.empty()) return invalid_comment(std::move(errors));
  return person;
}

// How many damaged rows an answer lacks; nothing where it lacks none.
std::string missing_json(std::uint64_t rows) {
  return rows > 0 ? "\"missing\":" + std::to_string(rows) + "," : "";
}

constexpr std::string_view remains =
    R"(["Backups have it until you remove them.",)"
    R"("An embedded store keeps bytes of what was removed until quire compact.",)"
    R"("A page index in LMDB beside a table keeps texts of facets until quire backfill --again.",)"
    R"("What you exported has it until you remove it.",)"
    R"("The stream of a table has it for a day, and its point-in-time recovery for up to 35 days.",)"
    R"("Audit logs have the customer's hash and the lengths of texts, never the texts."])";

std::string receipt(const Erased& erased) {
  std::string out = "{\"removed\":{";
  auto add = [&](std::string_view name, std::uint64_t count) {
    if (out.back() != '{') out += ',';
    out.append("\"").append(name).append("\":").append(std::to_string(count));
  };
  add("comments", erased.comments);
  add("reports", erased.reports);
  add("votes", erased.votes);
  add("answers", erased.answers);
  add("tickets", erased.tickets);
  out += "},\"emptied\":" + std::to_string(erased.emptied) + ",\"remains\":";
  return out.append(remains).append("}");
}

}  // namespace

CustomersApi::CustomersApi(Comments& comments, const Site& site, AuditLog* audit,
                           const std::optional<identity::CustomerKey>& key)
    : comments_(comments), site_(site), audit_(audit), key_(key) {
  if (key_) tickets_.emplace(*key_);
}

Awaitable<Response> CustomersApi::own(const Request& request) {
  if (auto error = allow_only(request, {"after", "limit"})) co_return problem(*error);
  std::optional<Ulid> after;
  auto limit = limits::page_default;
  if (auto text = parameter(request, "after")) {
    after = Ulid::parse(*text);
    if (!after) co_return problem(invalid("after", "after is the `next` of an earlier answer."));
  }
  if (auto text = parameter(request, "limit")) {
    auto asked = number("limit", *text, 1, limits::page_max);
    if (!asked) co_return problem(asked.error());
    limit = *asked;
  }
  auto found = co_await comments_.written_by(request.customer->hash, after, limit);
  if (!found) co_return problem(found.error());
  Response response{.body = "{\"comments\":[", .own = true};
  for (const auto& comment : found->comments) {
    if (response.body.back() == '}') response.body += ',';
    response.body += own_json(comment);
  }
  response.body += "]," + missing_json(found->damaged) + "\"page\":{";
  if (found->next) response.body += "\"next\":\"" + found->next->text() + "\"";
  response.body += "}}";
  co_return response;
}

Awaitable<Response> CustomersApi::invite(const Request& request) {
  if (!key_) co_return knows_no_customers();
  auto body = parse_unique(request.body, invitations_depth);
  if (!body) co_return problem(body.error());
  const auto* object = body->if_object();
  const auto* list = object ? object->if_contains("invitations") : nullptr;
  if (!list || !list->is_array() || object->size() != 1 || list->get_array().empty() ||
      list->get_array().size() > max_invitations)
    co_return problem(
        invalid_comment({{"invitations", "must be an array of 1 to 1,000 invitations"}}));
  auto now = system_ms();
  auto address = site_.public_url.empty() ? "" : site_.root(request) + "/products/";
  Response response{.status = 201, .body = "{\"invitations\":[", .own = true};
  for (const auto& each : list->get_array()) {
    auto [invitation, errors] = invitation_in(each, *key_, now);
    auto place = static_cast<std::size_t>(&each - list->get_array().data());
    if (!errors.empty()) co_return problem(invalid_comment(placed(std::move(errors), place)));
    if (!invitation.product.starts_with(request.token->product))
      co_return problem("forbidden", "This token may only invite to products that begin with \"" +
                                         request.token->product + "\".");
    auto ticket = tickets_->seal(invitation);
    if (place > 0) response.body += ',';
    response.body += "{\"product\":";
    append_json_string(response.body, invitation.product);
    response.body += ",\"ticket\":\"" + ticket + "\"";
    if (!address.empty()) {
      response.body += ",\"link\":";
      append_json_string(response.body,
                         address + percent_encode(invitation.product) + "/review?ticket=" + ticket);
    }
    response.body += ",\"ends\":\"" + time_text(invitation.ends_ms) + "\"}";
  }
  response.body += "]}";
  co_return response;
}

Awaitable<Response> CustomersApi::export_kept(const Request& request) {
  if (!key_) co_return knows_no_customers();
  if (!request.token->product.empty()) co_return needs_all_products();
  auto person = person_in(request.body, false);
  if (!person) co_return problem(person.error());
  auto customer = key_->hash(person->id);
  auto kept = co_await comments_.kept_of(customer);
  if (!kept) co_return problem(kept.error());
  Response response{.body = "{" + missing_json(kept->missing) + "\"comments\":[", .own = true};
  auto& body = response.body;
  for (const auto& comment : kept->comments)
    body.append(body.back() == '}' ? "," : "").append(own_json(comment));
  body += "],\"reports\":[";
  for (const auto& [comment, report] : kept->reports) {
    body.append(body.back() == '}' ? "," : "").append("{\"comment\":\"").append(comment.text());
    body.append("\",\"at\":\"").append(time_text(report.at_ms)).append("\",\"reason\":");
    append_json_string(body, report.reason);
    body += ",\"note\":";
    append_json_string(body, report.note);
    body += "}";
  }
  body += "],\"votes\":[";
  for (const auto& [comment, vote] : kept->votes) {
    body.append(body.back() == '}' ? "," : "").append("{\"comment\":\"").append(comment.text());
    body.append("\",\"vote\":\"").append(vote_name(vote)).append("\"}");
  }
  body += "]}";
  co_return response;
}

Awaitable<Response> CustomersApi::erase(const Request& request) {
  if (!key_) co_return knows_no_customers();
  if (!request.token->product.empty()) co_return needs_all_products();
  auto person = person_in(request.body, true);
  if (!person) co_return problem(person.error());
  if (auto ready = ready_to_record(audit_); !ready) co_return problem(ready.error());
  auto customer = key_->hash(person->id);
  auto [erased, failed] = co_await comments_.erase(customer, person->keep_ratings);
  if (!failed || erased != Erased{}) record(audit_, request, customer, erased);
  if (failed && failed->code == ErrorCode::damaged)
    failed->message += " What could be erased is. Run quire verify --repair, then erase again.";
  if (failed) co_return problem(*failed);
  co_return Response{.body = receipt(erased), .own = true};
}

}  // namespace quire::http
