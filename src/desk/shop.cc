// What the shop's own people and programs do: invitations, what is kept of customers, facts of
// products, imports.
#include <sys/random.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/clock.h"
#include "base/limits.h"
#include "base/try.h"
#include "desk/desk.h"
#include "desk/expect.h"
#include "desk/fields.h"
#include "model/validate.h"

namespace quire::desk {
namespace {

constexpr std::int64_t max_days = 365;

Error no_key() {
  return {ErrorCode::forbidden, "A table that others made has no customers."};
}

Status check_customer(std::string_view customer) {
  if (!customer.empty() && customer.size() <= identity::max_customer_bytes) return Done{};
  return invalid_comment({{"customer", "must have 1 to 128 bytes"}});
}

std::string fault_of(const std::vector<std::string>& products) {
  if (products.empty() || products.size() > Wish::max_products)
    return "must be an array of 1 to 20 products";
  if (!std::all_of(products.begin(), products.end(), is_product_name))
    return std::string(product_wanted);
  if (std::set<std::string_view>(products.begin(), products.end()).size() < products.size())
    return "has a product twice";
  std::size_t bytes = 0;
  for (const auto& product : products) bytes += product.size();
  return bytes > Wish::max_product_bytes ? "have more than 500 bytes together" : "";
}

std::vector<FieldError> faults_of(const Wish& wish) {
  std::vector<FieldError> faults;
  if (auto fault = fault_of(wish.products); !fault.empty())
    faults.push_back({wish.products.size() == 1 ? "product" : "products", std::move(fault)});
  if (auto named = check_customer(wish.customer); !named)
    faults.push_back(named.error().fields.front());
  auto size = characters(wish.name, "");
  if (!size || *size > limits::author_characters)
    faults.push_back({"name", "has at most 100 characters, and no control character"});
  if (wish.days < 1 || wish.days > max_days)
    faults.push_back({"days", "must be a whole number from 1 to 365"});
  return faults;
}

}  // namespace

Result<Invited> Desk::invite(const Permit& permit, const Wish& wish) const {
  const auto& writer = expect(permit, Deed::invite);
  const auto& key = customers_.key();
  if (!key) return no_key();
  if (auto faults = faults_of(wish); !faults.empty()) return invalid_comment(std::move(faults));
  bool may = std::all_of(wish.products.begin(), wish.products.end(), [&](const auto& product) {
    return product.starts_with(writer.products()) &&
           present(product).starts_with(writer.products());
  });
  if (!may)
    return Error{ErrorCode::forbidden, "This token may only invite to products that begin with \"" +
                                           std::string(writer.products()) + "\"."};
  auto end = system_ms() + static_cast<std::uint64_t>(wish.days) * day_ms;
  identity::Invitation invitation{.customer = key->hash(wish.customer),
                                  .ends_ms = (end + day_ms - 1) / day_ms * day_ms,
                                  .products = wish.products,
                                  .name = wish.name,
                                  .customer_id = wish.customer};
  if (getrandom(invitation.id.data(), invitation.id.size(), 0) !=
      static_cast<ssize_t>(invitation.id.size()))
    throw std::runtime_error("the operating system gives no random bytes");
  return Invited{customers_.seal(invitation), invitation.ends_ms};
}

Awaitable<Result<Kept>> Desk::kept_of(const Permit& permit, std::string customer) const {
  expect(permit, Deed::export_customer);
  const auto& key = customers_.key();
  if (!key) co_return no_key();
  CO_TRY_DONE(check_customer(customer));
  co_return co_await comments_.kept_of(key->hash(customer));
}

Awaitable<Erasure> Desk::erase(const Permit& permit, std::string customer, bool keep_ratings) {
  const auto& writer = expect(permit, Deed::erase_customer);
  const auto& key = customers_.key();
  if (!key) co_return Erasure{.failed = no_key()};
  if (auto named = check_customer(customer); !named) co_return Erasure{.failed = named.error()};
  if (auto ready = audit_.ready(); !ready) co_return Erasure{.failed = ready.error()};
  auto hash = key->hash(customer);
  auto erasure = co_await comments_.erase(hash, keep_ratings);
  auto& [removed, failed] = erasure;
  if (!failed || removed != Erased{}) audit_.erasure(writer, hash, removed);
  if (failed && failed->code == ErrorCode::damaged)
    failed->message += " What could be erased is. Run quire verify --repair, then erase again.";
  co_return erasure;
}

// A store that can keep no log says so itself.
Status Desk::has_changes() const {
  auto shop = this->shop();
  bool asked = shop && shop->changes;
  if (asked || !comments_.changes().possible()) return Done{};
  return Error{ErrorCode::forbidden,
               "This server keeps no log of changes: its shop file has no changes = true in "
               "[feeds]."};
}

Awaitable<Result<EventMark>> Desk::newest_change(const Permit& permit) const {
  expect(permit, Deed::read_changes);
  CO_TRY_DONE(has_changes());
  co_return co_await comments_.changes().newest();
}

Awaitable<Result<std::optional<FoundChanges>>> Desk::changes(const Permit& permit,
                                                             ChangesQuestion question) const {
  const auto& writer = expect(permit, Deed::read_changes);
  CO_TRY_DONE(has_changes());
  question.products = writer.products();
  co_return co_await comments_.changes().after(std::move(question));
}

Awaitable<Result<std::size_t>> Desk::put_facts(const Permit& permit, ProductFacts facts,
                                               FactsCondition condition) {
  const auto& writer = expect(permit, Deed::tell);
  if (auto to = comments_.successor(permit.product()))
    co_return Error{ErrorCode::forbidden, "Product " + permit.product() + " has moved to product " +
                                              *to + ". Tell the facts of that one."};
  CO_TRY_DONE(audit_.ready());
  std::vector<NamedFacts> one{{permit.product(), facts}};
  auto fresh = co_await comments_.put_facts(std::move(one), std::move(condition));
  if (fresh) audit_.facts(writer, permit.product(), &facts);
  co_return fresh;
}

Awaitable<Result<std::size_t>> Desk::put_facts(const Permit& permit,
                                               std::vector<NamedFacts> facts) {
  const auto& writer = expect(permit, Deed::tell);
  if (!writer.products().empty())
    throw std::logic_error("a writer of some products tells of several");
  CO_TRY_DONE(audit_.ready());
  FactsCondition always;
  auto fresh = co_await comments_.put_facts(facts, std::move(always));
  // A store of items may have put some before it failed.
  for (const auto& [product, told] : facts)
    if (!comments_.successor(product)) audit_.facts(writer, product, &told);
  co_return fresh;
}

Awaitable<Status> Desk::remove_facts(const Permit& permit, FactsCondition condition) {
  const auto& writer = expect(permit, Deed::tell);
  CO_TRY_DONE(audit_.ready());
  auto removed = co_await comments_.remove_facts(permit.product(), std::move(condition));
  if (removed) audit_.facts(writer, permit.product(), nullptr);
  co_return removed;
}

Awaitable<Result<Moved>> Desk::move(const Permit& permit, std::string to) {
  const auto& writer = expect(permit, Deed::move);
  auto prefix = writer.products();
  if (!to.starts_with(prefix) || !present(to).starts_with(prefix)) co_return beyond(prefix);
  CO_TRY_DONE(audit_.ready());
  auto moved = co_await comments_.move(permit.product(), to);
  if (moved && moved->refused.empty()) audit_.move(writer, permit.product(), to, moved->comments);
  if (moved && moved->failed) co_return *moved->failed;
  co_return moved;
}

Result<std::function<void(const ImportCounts&)>> Desk::import(const Permit& permit) const {
  const auto& writer = expect(permit, Deed::import);
  TRY_DONE(audit_.ready());
  return std::function<void(const ImportCounts&)>(
      [this, writer](const ImportCounts& counts) { audit_.import(writer, counts); });
}

}  // namespace quire::desk
