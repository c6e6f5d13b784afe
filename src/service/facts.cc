// What the shop tells of products.
#include "model/validate.h"
#include "service/comments.h"

namespace quire {

Awaitable<Result<std::optional<ProductFacts>>> facts_of(View& view, std::string product) {
  std::vector<std::string> one;
  one.push_back(std::move(product));
  auto found = co_await view.facts(std::move(one));
  if (!found) co_return found.error();
  co_return std::move(found->front());
}

Awaitable<Result<std::optional<ProductFacts>>> Comments::facts_of(std::string product) const {
  if (auto error = check_product(product)) co_return std::move(*error);
  auto view = store_.view();
  co_return co_await quire::facts_of(*view, std::move(product));
}

Awaitable<Result<std::size_t>> Comments::put_facts(std::vector<NamedFacts> all,
                                                   FactsCondition condition) {
  for (const auto& named : all)
    if (auto error = check_product(named.product)) co_return std::move(*error);
  co_return co_await store_.put_facts(std::move(all), std::move(condition));
}

Awaitable<Status> Comments::remove_facts(std::string product, FactsCondition condition) {
  if (auto error = check_product(product)) co_return std::move(*error);
  co_return co_await store_.remove_facts(std::move(product), std::move(condition));
}

}  // namespace quire
