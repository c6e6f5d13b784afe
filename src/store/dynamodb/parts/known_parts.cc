#include "store/dynamodb/parts/known_parts.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/try.h"
#include "loop/gate.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {
namespace {

Error damaged() {
  return {ErrorCode::damaged,
          "The item of the table whose PK and SK are PARTS is damaged. Do not delete it. Declare "
          "the parts again: quire table parts writes it anew."};
}

Error contended() {
  return {ErrorCode::unavailable,
          "Others declare parts of the table's lists. Try again in a moment."};
}

Error full() {
  return {ErrorCode::invalid_parameter,
          "The declarations of parts take at most 300,000 bytes together. Declare parts for the "
          "table, and not for so many products.",
          "product"};
}

// The declarations that the item holds, and the condition under which others may take its place.
struct Declared {
  TableParts parts;
  Expression condition;
};

// In place of a damaged item stands the declaration by which readers go at present.
Declared found_in(const std::optional<Item>& item) {
  if (!item) return {{}, has_version(0)};
  if (auto parts = read_parts(*item)) return {*parts, has_version(parts->version)};
  auto all = all_parts();
  all.version = number_of(*item, "version").value_or(0);
  return {std::move(all), unchanged(*item, std::array<std::string, 2>{"parts", "version"})};
}

}  // namespace

KnownParts::Shared KnownParts::younger_than(std::chrono::seconds age) const {
  std::lock_guard lock(mutex_);
  return known_ && BootClock::now() - since_ < age ? known_ : nullptr;
}

KnownParts::Shared KnownParts::fresh() const {
  return younger_than(kept);
}

KnownParts::Shared KnownParts::know(TableParts parts, BootClock::time_point since) {
  auto known = std::make_shared<const TableParts>(std::move(parts));
  std::lock_guard lock(mutex_);
  since_ = since;
  return known_ = std::move(known);
}

// One request at a time asks, as long as the others may go by what was known before.
Awaitable<Result<Known<TableParts>>> KnownParts::get() {
  if (auto known = fresh()) co_return Known<TableParts>{known};
  auto old = younger_than(max_age);
  if (old && asking_) co_return Known<TableParts>{old};
  BusyFlag asking(asking_);
  auto asked = co_await ask();
  if (!asked) old = younger_than(max_age);
  if (!asked && old) co_return Known<TableParts>{old};
  co_return asked;
}

Awaitable<Result<Known<TableParts>>> KnownParts::ask() {
  auto begun = BootClock::now();
  CO_TRY(auto there, co_await client_.get(parts_key()));
  auto parts = there.item ? read_parts(*there.item) : TableParts{};
  if (!parts) spdlog::error("{}", damaged().message);
  co_return Known<TableParts>{know(parts ? std::move(*parts) : all_parts(), begun), there.consumed};
}

Awaitable<Result<TableParts>> KnownParts::read() {
  CO_TRY(auto there, co_await client_.get(parts_key()));
  if (!there.item) co_return TableParts{};
  auto parts = read_parts(*there.item);
  if (!parts) co_return damaged();
  co_return std::move(*parts);
}

Awaitable<Result<bool>> KnownParts::announce(PartsOf of, std::uint8_t parts) {
  CO_TRY(auto declared, co_await change(std::move(of), [parts](Declaration declared) {
           declared.read = std::max(declared.read, parts);
           return declared;
         }));
  co_return declared.written < parts;
}

Awaitable<Status> KnownParts::begin(PartsOf of, std::uint8_t parts) {
  CO_TRY_DONE(co_await change(std::move(of), [parts](Declaration declared) {
    declared.read = std::max(declared.read, parts);
    declared.written = parts;
    return declared;
  }));
  co_return Done{};
}

// A put that was applied though its answer was lost is refused when it is repeated. The next round
// then finds nothing to change. A product's first row begins as the table's, by which its comments
// have gone so far.
Awaitable<Result<KnownParts::Declaration>> KnownParts::change(
    PartsOf of, std::function<Declaration(Declaration)> change) {
  auto key = std::pair(of.product, of.index), of_table = std::pair(std::string(), of.index);
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto there, co_await client_.get(parts_key()));
    auto [parts, condition] = found_in(there.item);
    bool own = parts.rows.contains(key);
    auto row = parts.rows.find(own ? key : of_table);
    auto before = row == parts.rows.end() ? Declaration{} : row->second;
    auto after = change(before);
    if (own && after == before) co_return after;
    parts.rows[key] = after;
    ++parts.version;
    auto item = parts_item(parts);
    if (text_of(item, "parts")->size() > max_parts_bytes) co_return full();
    CO_TRY(auto put,
           co_await client_.make(put_item(client_.table(), item, condition, Repeat::safe)));
    if (put) co_return after;
    co_await client_.pause(round);
  }
  co_return contended();
}

}  // namespace quire::dynamodb
