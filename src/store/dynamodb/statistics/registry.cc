#include "store/dynamodb/statistics/registry.h"

#include "model/validate.h"
#include "store/dynamodb/items/damaged_items.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {

Awaitable<Result<RegisteredProducts>> registered_products(Client& client, std::string after,
                                                          std::size_t limit) {
  RegisteredProducts out;
  for (bool end = false; !end && out.names.size() < limit;) {
    QueryArguments arguments{.table = client.table(),
                             .partition_name = "PK",
                             .partition = std::string(products_partition),
                             .limit = limit - out.names.size()};
    if (!after.empty()) arguments.start = key_of(arguments.partition, after);
    auto answer = co_await client.send(query(arguments));
    if (answer.failure) co_return error_of(*answer.failure);
    auto page = decode_page(answer.body);
    if (!page) co_return damaged_answer();
    out.consumed += page->consumed;
    client.figures().add_consumed(page->consumed);
    for (const auto& item : page->items) {
      std::string name(text_of(item, "SK").value_or(""));
      if (!check_product(name)) out.names.push_back(std::move(name));
      if (auto damage = misnamed(item)) out.damaged.push_back(std::move(*damage));
    }
    end = !page->last;
    if (end) break;
    std::string last(text_of(*page->last, "SK").value_or(""));
    if (last <= after) co_return damaged_answer();  // the query would never end
    after = std::move(last);
  }
  co_return out;
}

}  // namespace quire::dynamodb
