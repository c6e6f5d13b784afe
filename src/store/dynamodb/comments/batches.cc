#include "store/dynamodb/comments/batches.h"

#include <algorithm>
#include <iterator>

#include "loop/loop.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

constexpr int max_batch_rounds = 6;  // that bring nothing, of one batch
constexpr std::size_t batches_at_once = 4;

Error overloaded() {
  return {ErrorCode::unavailable, "The table does not answer in full now. Try again in a moment."};
}

Awaitable<Result<ItemsAnswer>> get_batch(Client& client, std::vector<Item> keys) {
  ItemsAnswer out;
  for (int round = 0; !keys.empty();) {
    Answer answer = co_await client.send(batch_get(client.table(), keys));
    if (answer.failure) co_return error_of(*answer.failure);
    auto found = decode_batch(answer.body, client.table());
    if (!found) co_return damaged_answer();
    client.figures().add_consumed(found->consumed);
    out.consumed += found->consumed;
    std::move(found->items.begin(), found->items.end(), std::back_inserter(out.items));
    round = found->undone.size() < keys.size() ? 0 : round + 1;
    keys = std::move(found->undone);
    if (keys.empty()) break;
    if (round == max_batch_rounds) co_return overloaded();
    co_await client.pause(round);
  }
  co_return out;
}

}  // namespace

Awaitable<Result<ItemsAnswer>> get_items(Client& client, std::vector<Item> keys) {
  ItemsAnswer out;
  for (auto from = keys.begin(); from != keys.end();) {
    std::vector<Awaitable<Result<ItemsAnswer>>> works;
    while (from != keys.end() && works.size() < batches_at_once) {
      auto size = std::min<std::ptrdiff_t>(keys.end() - from, max_batch_keys);
      std::vector<Item> batch(std::make_move_iterator(from), std::make_move_iterator(from + size));
      works.push_back(get_batch(client, std::move(batch)));
      from += size;
    }
    auto answers = co_await all(std::move(works));
    for (auto& answer : answers) {
      if (!answer) co_return answer.error();
      out.consumed += answer->consumed;
      std::move(answer->items.begin(), answer->items.end(), std::back_inserter(out.items));
    }
  }
  co_return out;
}

}  // namespace quire::dynamodb
