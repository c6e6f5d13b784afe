#include "http/api/writers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/clock.h"
#include "http/access/customers.h"
#include "http/access/tokens.h"
#include "http/access/write_limits.h"
#include "model/document.h"
#include "model/validate.h"

namespace quire::http {
namespace {

constexpr std::uint64_t day_ms = 24 * 60 * 60 * 1000;
constexpr std::string_view of_shop = "is not for customers to send; leave it out";

bool is_field(const shop::Shop& shop, std::string_view name) {
  return std::find(shop.fields.begin(), shop.fields.end(), name) != shop.fields.end();
}

template <class Attributes>
void check_fields(const shop::Shop& shop, const Attributes& attributes,
                  std::vector<FieldError>& errors) {
  for (const auto& [name, value] : attributes) {
    if (is_field(shop, name)) continue;
    errors.push_back({"attributes." + name, "is not one that customers may fill in; leave it out"});
  }
}

// A customer's name comes from the shop, where it gave one.
void check_author(const Request& request, std::string_view author,
                  std::vector<FieldError>& errors) {
  if (!author.empty() && request.customer && !request.customer->name.empty())
    errors.push_back({"author", "is the name in the token or invitation; leave it out"});
}

std::optional<Error> error_of(std::vector<FieldError> errors) {
  if (errors.empty()) return {};
  return invalid_comment(std::move(errors));
}

template <class Attributes>
std::optional<Error> check_counted_in(const shop::Shop* shop, const Attributes& attributes) {
  std::vector<FieldError> errors;
  for (auto vote : {Vote::helpful, Vote::unhelpful})
    if (shop && shop->votes && attributes.contains(vote_name(vote)))
      errors.push_back({fmt::format("attributes.{}", vote_name(vote)),
                        "is counted from customers' votes; leave it out"});
  return error_of(std::move(errors));
}

}  // namespace

std::optional<Error> take(const Request& request, const shop::Shop& shop, Draft& draft) {
  std::vector<FieldError> errors;
  if (draft.created_ms) errors.push_back({"created_at", std::string(of_shop)});
  if (draft.decides) errors.push_back({"status", std::string(of_shop)});
  check_author(request, draft.author, errors);
  check_fields(shop, draft.attributes, errors);
  if (const auto* customer = request.customer.get()) {
    draft.customer = customer->hash;
    if (!customer->name.empty()) draft.author = customer->name;
    if (customer->has_bought(draft.product)) draft.attributes["verified"] = true;
  }
  if (auto error = error_of(std::move(errors))) return error;
  return leaves_no_room(draft.attributes);
}

std::optional<Error> take(const Request& request, const shop::Shop& shop, Patch& patch) {
  std::vector<FieldError> errors;
  if (patch.decides()) errors.push_back({"status", std::string(of_shop)});
  if (patch.clear_attributes)
    errors.push_back({"attributes", "is an object of those to change: {\"size\": null}"});
  if (patch.author) check_author(request, *patch.author, errors);
  check_fields(shop, patch.attributes, errors);
  const auto* customer = request.customer.get();
  if (patch.author && customer && !customer->name.empty()) patch.author = customer->name;
  return error_of(std::move(errors));
}

std::optional<Error> check_hosts(const shop::Shop* shop, const Media& media) {
  std::vector<FieldError> errors;
  for (const auto& picture : media) {
    if (shop && shop->has_picture(picture.url)) continue;
    errors.push_back({fmt::format("media.{}.url", &picture - media.data()),
                      shop && !shop->picture_hosts.empty()
                          ? fmt::format("must be at a host of the shop: {}",
                                        fmt::join(shop->picture_hosts, ", "))
                          : "is not taken: the shop file names no host of pictures (media)"});
  }
  return error_of(std::move(errors));
}

std::optional<Error> check_counted(const shop::Shop* shop, const Draft& draft) {
  return check_counted_in(shop, draft.attributes);
}

std::optional<Error> check_counted(const shop::Shop* shop, const Patch& patch) {
  if (shop && shop->votes && patch.clear_attributes)
    return invalid_comment({{"attributes",
                             "has helpful and unhelpful, which are counted from customers' votes; "
                             "send the names to remove: {\"size\": null}"}});
  return check_counted_in(shop, patch.attributes);
}

Terms terms_of(const Request& request, const shop::Shop* shop) {
  Terms terms;
  if (!request.customer) return terms;
  terms.once = shop && shop->once;
  if (const auto& invitation = request.customer->invitation)
    terms.ticket = Ticket{invitation->id, invitation->ends_ms};
  return terms;
}

std::optional<Error> refuses_others(const Request& request, const Comment& comment) {
  if (comment.customer == request.customer->hash) return {};
  if (!comment.published()) return no_such_comment();
  return Error{ErrorCode::forbidden, "This comment is another customer's."};
}

// Whether a published comment of the writer is known matters to one rule alone. Programs of the
// shop, which have tokens, are known; whoever writes without a name is not.
Awaitable<Result<Rules>> rules_for(const Comments& comments, const Request& request,
                                   std::shared_ptr<const shop::Shop> shop) {
  if (request.token && request.token->may(Scope::moderate)) co_return Rules();
  bool known = request.token != nullptr;
  if (request.customer && shop && shop->hold == shop::Hold::rules && shop->first) {
    auto found = co_await comments.has_published(request.customer->hash);
    if (!found) co_return found.error();
    known = *found;
  }
  co_return Rules([shop = std::move(shop), known](const Comment& comment) {
    return shop ? shop->holds(comment, known) : std::nullopt;
  });
}

std::string sender_of(const Request& request) {
  if (request.token) return request.token->hash;
  if (request.customer) return "customer " + request.customer->hash.text();
  return limit_name(request.client);
}

std::optional<Error> refuses_edit(const Request& request, const shop::Shop& shop,
                                  const Comment& comment) {
  if (auto others = refuses_others(request, comment)) return others;
  auto days = static_cast<std::uint64_t>(shop.edit_days);
  if (system_ms() <= comment.created_ms() + days * day_ms && days > 0) return {};
  if (days == 0)
    return Error{ErrorCode::forbidden,
                 "This shop's customers cannot change their comments. They may delete them."};
  return Error{ErrorCode::forbidden,
               fmt::format("A comment may be changed for {} after it was written. It may still "
                           "be deleted.",
                           shop.edit_days == 1 ? "a day" : fmt::format("{} days", shop.edit_days))};
}

std::string own_json(const Comment& comment) {
  auto document = encode_document(comment);
  std::string out(document_json(document));
  out.back() = ',';  // in place of the closing brace
  if (comment.published()) out += "\"status\":\"published\",";
  out += "\"etag\":";
  append_json_string(out, document_tag(document));
  return out + "}";
}

}  // namespace quire::http
