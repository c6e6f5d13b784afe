#include "desk/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/clock.h"
#include "base/language_tag.h"
#include "base/try.h"
#include "model/facets.h"
#include "model/validate.h"
#include "model/vote.h"
#include "store/condition.h"

namespace quire::desk {
namespace {

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
void check_author(const Writer& writer, std::string_view author, std::vector<FieldError>& errors) {
  if (!author.empty() && writer.customer && !writer.customer->name.empty())
    errors.push_back({"author", "is the name in the token or invitation; leave it out"});
}

// Languages that nobody speaks would fill the statistics of a product. A tag of another form is
// refused where all fields are checked.
void check_language(std::string_view language, std::vector<FieldError>& errors) {
  auto canonical = canonical_language(language);
  if (canonical && !is_known_tag(*canonical))
    errors.push_back({"language",
                      "has a language, a script or a region that Unicode's CLDR does not know; "
                      "send one that it knows, such as en, pt-BR or zh-Hant"});
}

void check_hosts(const shop::Shop* shop, const Media& media, std::vector<FieldError>& errors) {
  for (const auto& picture : media) {
    if (shop && shop->has_picture(picture.url)) continue;
    errors.push_back({fmt::format("media.{}.url", &picture - media.data()),
                      shop && !shop->picture_hosts.empty()
                          ? fmt::format("must be at a host of the shop: {}",
                                        fmt::join(shop->picture_hosts, ", "))
                          : "is not taken: the shop file names no host of pictures (media)"});
  }
}

template <class Attributes>
void check_counted(const shop::Shop* shop, const Attributes& attributes,
                   std::vector<FieldError>& errors) {
  for (auto vote : {Vote::helpful, Vote::unhelpful})
    if (shop && shop->votes && attributes.contains(vote_name(vote)))
      errors.push_back({fmt::format("attributes.{}", vote_name(vote)),
                        "is counted from customers' votes; leave it out"});
}

Status status_of(std::vector<FieldError> errors) {
  if (errors.empty()) return Done{};
  return invalid_comment(std::move(errors));
}

Error lacks_moderate() {
  return {ErrorCode::forbidden,
          "status, reason and note need a token with the scope \"moderate\". Leave them out: the "
          "shop's rules decide."};
}

}  // namespace

Error beyond(std::string_view prefix) {
  return {ErrorCode::forbidden,
          fmt::format("This token may only write to products that begin with \"{}\".", prefix)};
}

Status make_theirs(const Writer& writer, const shop::Shop& shop, const Present& present,
                   Draft& draft) {
  std::vector<FieldError> errors;
  if (draft.created_ms) errors.push_back({"created_at", std::string(of_shop)});
  if (draft.decides) errors.push_back({"status", std::string(of_shop)});
  check_language(draft.language, errors);
  check_author(writer, draft.author, errors);
  check_fields(shop, draft.attributes, errors);
  if (const auto* customer = writer.customer.get()) {
    draft.customer = customer->hash;
    if (!customer->name.empty()) draft.author = customer->name;
    if (customer->has_bought(draft.product, present)) draft.attributes["verified"] = true;
  }
  TRY_DONE(status_of(std::move(errors)));
  return check_room(draft.attributes);
}

Status make_theirs(const Writer& writer, const shop::Shop& shop, Patch& patch) {
  std::vector<FieldError> errors;
  if (patch.decides()) errors.push_back({"status", std::string(of_shop)});
  if (patch.clear_attributes)
    errors.push_back({"attributes", "is an object of those to change: {\"size\": null}"});
  if (patch.language) check_language(*patch.language, errors);
  if (patch.author) check_author(writer, *patch.author, errors);
  check_fields(shop, patch.attributes, errors);
  const auto* customer = writer.customer.get();
  if (patch.author && customer && !customer->name.empty()) patch.author = customer->name;
  return status_of(std::move(errors));
}

Status check_content(const shop::Shop* shop, const Draft& draft) {
  std::vector<FieldError> errors;
  check_hosts(shop, draft.media, errors);
  check_counted(shop, draft.attributes, errors);
  return status_of(std::move(errors));
}

Status check_content(const shop::Shop* shop, const Patch& patch) {
  std::vector<FieldError> errors;
  if (patch.media) check_hosts(shop, *patch.media, errors);
  check_counted(shop, patch.attributes, errors);
  if (shop && shop->votes && patch.clear_attributes)
    errors.push_back({"attributes",
                      "has helpful and unhelpful, which are counted from customers' votes; send "
                      "the names to remove: {\"size\": null}"});
  return status_of(std::move(errors));
}

Status check_scopes(const Writer& writer, const Draft& draft) {
  if (draft.created_ms && writer.token && !writer.may(Scope::import))
    return Error{ErrorCode::forbidden,
                 "created_at needs a token with the scope \"import\". Leave it out: the comment is "
                 "then of now."};
  if (draft.decides && !writer.may(Scope::moderate)) return lacks_moderate();
  return Done{};
}

Status check_scopes(const Writer& writer, const Patch& patch) {
  if (patch.decides() && !writer.may(Scope::moderate)) return lacks_moderate();
  if (patch.edits() && writer.token && !writer.may(Scope::edit))
    return Error{ErrorCode::forbidden, "A change of the comment itself needs the scope \"edit\"."};
  return Done{};
}

Status check_author(const Customer& customer, const Comment& comment) {
  if (comment.customer == customer.hash) return Done{};
  if (!comment.published()) return no_such_comment();
  return Error{ErrorCode::forbidden, "This comment is another customer's."};
}

Status check_edit(const Customer& customer, const shop::Shop& shop, const Comment& comment) {
  TRY_DONE(check_author(customer, comment));
  auto days = static_cast<std::uint64_t>(shop.edit_days);
  if (system_ms() <= comment.created_ms() + days * day_ms && days > 0) return Done{};
  if (days == 0)
    return Error{ErrorCode::forbidden,
                 "This shop's customers cannot change their comments. They may delete them."};
  return Error{ErrorCode::forbidden,
               fmt::format("A comment may be changed for {} after it was written. It may still "
                           "be deleted.",
                           shop.edit_days == 1 ? "a day" : fmt::format("{} days", shop.edit_days))};
}

}  // namespace quire::desk
