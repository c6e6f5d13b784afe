#include "store/dynamodb/totals/present_stream.h"

#include <functional>

#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {
namespace {

constexpr std::chrono::seconds kept{5};

}  // namespace

Awaitable<bool> PresentStream::is(std::string arn) {
  bool known = arn == arn_ || client_.now() < known_until_;
  if (!known) {
    std::function<Awaitable<Done>()> asks = [this] { return ask(); };
    co_await answer_.get(std::move(asks));
  }
  co_return arn_.empty() || arn == arn_;
}

Awaitable<Done> PresentStream::ask() {
  auto answer = co_await client_.send(describe_table(client_.table()));
  auto table = answer.failure ? std::nullopt : decode_table(answer.body);
  arn_ = table ? table->stream : "";
  known_until_ = client_.now() + kept;
  co_return Done{};
}

}  // namespace quire::dynamodb
