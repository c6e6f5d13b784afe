#include "http/api/customers_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/clock.h"
#include "base/limits.h"
#include "base/text.h"
#include "http/api/json.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/document.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire::http {
namespace {

namespace json = boost::json;

constexpr std::size_t invitations_depth = 4;

// The text of a member; "" with an error where it is missing and needed, or no text.
std::string text_of(const json::object& object, std::string_view name,
                    std::vector<FieldError>& errors, bool needed = true) {
  const auto* value = object.if_contains(name);
  if (value && value->is_string()) return std::string(value->get_string());
  if (value || needed) errors.push_back({std::string(name), "must be a text"});
  return {};
}

// One product, or an array of several.
std::vector<std::string> products_of(const json::object& object, std::vector<FieldError>& errors) {
  const auto* several = object.if_contains("products");
  if (!several) return {text_of(object, "product", errors)};
  std::vector<std::string> products;
  const auto* list = several->if_array();
  bool texts = list && std::all_of(list->begin(), list->end(),
                                   [](const auto& each) { return each.is_string(); });
  if (!texts) errors.push_back({"products", "must be an array of texts"});
  if (object.contains("product"))
    errors.push_back({"product", "excludes products: send one of them"});
  if (texts)
    for (const auto& each : *list) products.emplace_back(each.get_string());
  return products;
}

Result<desk::Wish> wish_in(const json::value& value) {
  const auto* object = value.if_object();
  if (!object)
    return invalid_comment(
        {{"invitation", "must be an object of product or products, customer, name and days"}});
  std::vector<FieldError> errors;
  for (const auto& [name, member] : *object) {
    constexpr std::string_view members[] = {"product", "products", "customer", "name", "days"};
    if (std::find(std::begin(members), std::end(members), name) == std::end(members))
      errors.push_back({std::string(shortened(name)), "is no member of an invitation"});
  }
  desk::Wish wish{.products = products_of(*object, errors),
                  .customer = text_of(*object, "customer", errors),
                  .name = text_of(*object, "name", errors, false)};
  if (const auto* days = object->if_contains("days"))
    wish.days = days->is_int64() ? days->get_int64() : 0;
  if (!errors.empty()) return invalid_comment(std::move(errors));
  return wish;
}

// The error with the place of its invitation before the names of members.
Error placed(Error error, std::size_t place) {
  for (auto& each : error.fields)
    each.field = "invitations." + std::to_string(place) + "." + each.field;
  return error;
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
  if (!errors.empty()) return invalid_comment(std::move(errors));
  return person;
}

// How many damaged rows an answer lacks; nothing where it lacks none.
std::string missing_json(std::uint64_t rows) {
  return rows > 0 ? "\"missing\":" + std::to_string(rows) + "," : "";
}

constexpr std::string_view remains =
    R"("Backups have it until you remove them.",)"
    R"("An embedded store keeps bytes of what was removed until quire compact.",)"
    R"("A page index in LMDB beside a table keeps texts of facets until quire backfill --again.",)"
    R"("Google's feed has it until the server makes the next one, when it is asked for the feed.",)"
    R"("What you exported has it until you remove it.",)"
    R"("The stream of a table has it for a day, and its point-in-time recovery for up to 35 days.",)"
    R"("Audit logs have the customer's hash and the lengths of texts, never the texts.")";

// A customer's own comment as JSON: with its status in any case, and an ETag that others' votes
// leave as it is.
std::string own_json(const Comment& comment) {
  auto document = encode_document(comment);
  std::string out(document_json(document));
  out.back() = ',';  // in place of the closing brace
  if (comment.published()) out += "\"status\":\"published\",";
  out += "\"etag\":";
  append_json_string(out, tag_without_votes(comment));
  return out + "}";
}

}  // namespace

std::string receipt_json(const Erased& erased) {
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
  out += "},\"emptied\":" + std::to_string(erased.emptied) + ",\"remains\":[";
  if (erased.told > 0)
    out += fmt::format(
        R"("The log of changes tells its readers that {} of the person's comments are removed or )"
        R"(emptied. A reader that kept copies has to follow it.",)",
        erased.told);
  return out.append(remains).append("]}");
}

std::string invitation_address(const std::vector<std::string>& products, std::string_view ticket) {
  auto form =
      products.size() == 1 ? "/products/" + percent_encode(products.front()) : std::string();
  return form.append("/review?ticket=").append(ticket);
}

std::string invitation_json(const desk::Wish& wish, const desk::Invited& invited,
                            std::string_view root) {
  const auto& products = wish.products;
  std::string out = products.size() == 1 ? "{\"product\":" : "{\"products\":[";
  for (const auto& product : products) {
    if (out.back() == '"') out += ',';
    append_json_string(out, product);
  }
  if (products.size() > 1) out += ']';
  out.append(",\"ticket\":\"").append(invited.ticket).append("\"");
  if (!root.empty()) {
    out += ",\"link\":";
    append_json_string(out, std::string(root) + invitation_address(products, invited.ticket));
  }
  return out + ",\"ends\":\"" + time_text(invited.ends_ms) + "\"}";
}

std::string kept_json(const Kept& kept) {
  std::string body = "{" + missing_json(kept.missing) + "\"comments\":[";
  for (const auto& comment : kept.comments)
    body.append(body.back() == '}' ? "," : "").append(own_json(comment));
  body += "],\"reports\":[";
  for (const auto& [comment, report] : kept.reports) {
    body.append(body.back() == '}' ? "," : "").append("{\"comment\":\"").append(comment.text());
    body.append("\",\"at\":\"").append(time_text(report.at_ms)).append("\",\"reason\":");
    append_json_string(body, report.reason);
    body += ",\"note\":";
    append_json_string(body, report.note);
    append_contact(body, report.contact);
    body += "}";
  }
  body += "],\"votes\":[";
  for (const auto& [comment, vote] : kept.votes) {
    body.append(body.back() == '}' ? "," : "").append("{\"comment\":\"").append(comment.text());
    body.append("\",\"vote\":\"").append(vote_name(vote)).append("\"}");
  }
  return body + "]}";
}

Awaitable<Response> CustomersApi::own(const Request& request) {
  if (auto allowed = allow_only(request, {"after", "limit"}); !allowed)
    co_return problem(allowed.error());
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
  auto found = co_await desk_.own(*request.permit, after, limit);
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
  auto body = parse_unique(request.body, invitations_depth);
  if (!body) co_return problem(body.error());
  const auto* object = body->if_object();
  const auto* list = object ? object->if_contains("invitations") : nullptr;
  if (!list || !list->is_array() || object->size() != 1 || list->get_array().empty() ||
      list->get_array().size() > max_invitations)
    co_return problem(
        invalid_comment({{"invitations", "must be an array of 1 to 1,000 invitations"}}));
  auto root = site_.public_url.empty() ? std::string() : site_.root(request);
  Response response{.status = 201, .body = "{\"invitations\":[", .own = true};
  for (const auto& each : list->get_array()) {
    auto place = static_cast<std::size_t>(&each - list->get_array().data());
    auto wish = wish_in(each);
    auto invited = wish ? desk_.invite(*request.permit, *wish) : wish.error();
    if (!invited) co_return problem(placed(invited.error(), place));
    response.body.append(place > 0 ? "," : "").append(invitation_json(*wish, *invited, root));
  }
  response.body += "]}";
  co_return response;
}

Awaitable<Response> CustomersApi::export_kept(const Request& request) {
  auto person = person_in(request.body, false);
  if (!person) co_return problem(person.error());
  auto kept = co_await desk_.kept_of(*request.permit, person->id);
  if (!kept) co_return problem(kept.error());
  co_return Response{.body = kept_json(*kept), .own = true};
}

Awaitable<Response> CustomersApi::erase(const Request& request) {
  auto person = person_in(request.body, true);
  if (!person) co_return problem(person.error());
  auto [erased, failed] = co_await desk_.erase(*request.permit, person->id, person->keep_ratings);
  if (failed) co_return problem(*failed);
  co_return Response{.body = receipt_json(erased), .own = true};
}

}  // namespace quire::http
