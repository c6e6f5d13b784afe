// What the shop tells of products.
#include "base/try.h"
#include "model/validate.h"
#include "service/comments.h"

namespace quire {

Awaitable<Result<std::optional<ProductFacts>>> facts_of(View& view, std::string product) {
  std::vector<std::string> one;
  one.push_back(std::move(product));
  CO_TRY(auto found, co_await view.facts(std::move(one)));
  co_return std::move(found.front());
}

Awaitable<Result<std::optional<ProductFacts>>> Comments::facts_of(std::string product) const {
  CO_TRY_DONE(check_product(product));
  auto view = store_.view();
  co_return co_await quire::facts_of(*view, std::move(product));
}

Awaitable<Result<std::size_t>> Comments::put_facts(std::vector<NamedFacts> all,
                                                   FactsCondition condition) {
  for (const auto& named : all) CO_TRY_DONE(check_product(named.product));
  auto* facts = store_.facts();
  if (!facts) co_return no_facts();
  co_return co_await facts->put_facts(std::move(all), std::move(condition));
}

Awaitable<Status> Comments::remove_facts(std::string product, FactsCondition condition) {
  CO_TRY_DONE(check_product(product));
  auto* facts = store_.facts();
  if (!facts) co_return no_facts();
  co_return co_await facts->remove_facts(std::move(product), std::move(condition));
}

}  // namespace quire
