#include "app/table.h"

#include "app/followed_table.h"
#include "base/try.h"
#include "loop/loop.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/adopted/survey.h"
#include "store/dynamodb/adopted/table.h"
#include "store/dynamodb/provision/exports.h"
#include "store/dynamodb/provision/provision.h"

namespace quire {
namespace {

using dynamodb::Service;
using dynamodb::TableStatus;

template <class Settings>
Result<dynamodb::Address> address_of(const std::string& text, const Settings& settings) {
  if (text.starts_with("dynamodb:")) return dynamodb::parse_address(text, settings);
  return Error{ErrorCode::invalid_parameter,
               "\"" + text + "\" is no table. Name one: --store dynamodb:TABLE?region=R.", "store"};
}

Awaitable<Result<dynamodb::TableDescription>> description_of(dynamodb::TableClient& client) {
  auto answer = co_await client.send(dynamodb::describe_table(client.table()));
  if (answer.failure) co_return error_of(*answer.failure);
  auto table = dynamodb::decode_table(answer.body);
  if (!table) co_return dynamodb::damaged_answer();
  co_return std::move(*table);
}

// Some pages of a scan, which reads at most 1 MB each.
Awaitable<Result<std::string>> sample_and_map(dynamodb::TableClient& client) {
  constexpr int max_pages = 8;
  CO_TRY(auto table, co_await description_of(client));
  std::vector<dynamodb::Item> sample;
  std::optional<dynamodb::Item> start;
  for (int pages = 0; pages < max_pages && sample.size() < adopted::sample_items; ++pages) {
    auto call = dynamodb::scan(client.table(), start, adopted::sample_items - sample.size());
    CO_TRY(auto page, co_await client.page(std::move(call)));
    std::move(page.items.begin(), page.items.end(), std::back_inserter(sample));
    start = std::move(page.last);
    if (!start) break;
  }
  auto mapping = adopted::propose_mapping(table, sample);
  if (table.stream.empty())
    mapping.insert(0, "# " + adopted::no_stream(client.table()).message + "\n");
  co_return mapping;
}

// How a table that others made differs from what its mapping and a page index need.
Result<TableStatus> describe_adopted(const dynamodb::Address& address) {
  dynamodb::TableAccess access(address);
  TRY(auto table, wait(access.loop.run(description_of(access.client))));
  TableStatus status{address.table, std::move(table)};
  bool stream = !status.table.stream.empty();
  if (!stream) status.differences.push_back(adopted::no_stream(address.table).message);
  auto mapping = mapping_of(address);
  auto fitted = mapping ? adopted::fit(std::move(*mapping), status.table) : mapping.error();
  if (!fitted) {
    status.differences.push_back(fitted.error().message);
    return status;
  }
  if (stream) status.notes.push_back(fitted->about_stream());
  for (auto& note : fitted->about_indexes()) status.notes.push_back(std::move(note));
  return status;
}

// A table's name alone is that of a table where the table of `store` is.
std::string address_beside(const std::string& table, const std::string& store) {
  auto address = table.starts_with("dynamodb:") ? table : "dynamodb:" + table;
  auto parameters = store.find('?');
  bool name = address.find('?') == address.npos;
  if (!name || !store.starts_with("dynamodb:") || parameters == store.npos) return address;
  return address + store.substr(parameters);
}

// Runs `work`, which is given the service, on the client's loop.
template <class Work>
Result<TableStatus> with_service(const std::string& text, Work work) {
  TRY(auto address, address_of(text, dynamodb::system_configuration()));
  dynamodb::TableAccess access(address);
  Service service{[&](dynamodb::Call call) { return access.client.send(std::move(call)); }, pause};
  return wait(access.loop.run(work(service, address.table)));
}

Result<dynamodb::Address> own_table(const std::string& text) {
  auto address = address_of(text, dynamodb::system_configuration());
  if (!address || address->map.empty()) return address;
  return Error{ErrorCode::invalid_parameter,
               "Quire does not write to a table that others made, so its lists have no parts.",
               "store"};
}

}  // namespace

Result<TableStatus> create_table(const std::string& address,
                                 const dynamodb::TableOptions& options) {
  return with_service(address, [&](const Service& service, const std::string& name) {
    return dynamodb::make_table(service, name, options);
  });
}

Result<TableStatus> describe_table(const std::string& text) {
  auto address = address_of(text, dynamodb::system_configuration());
  if (address && !address->map.empty()) return describe_adopted(*address);
  return with_service(text, [](const Service& service, const std::string& name) {
    return dynamodb::inspect_table(service, name);
  });
}

Result<std::string> map_table(const std::string& table, const std::string& store) {
  TRY(auto address, address_of(table.empty() ? store : address_beside(table, store),
                               dynamodb::system_configuration()));
  dynamodb::TableAccess access(address);
  return wait(access.loop.run(sample_and_map(access.client)));
}

Result<dynamodb::TableParts> parts_of_table(const std::string& text) {
  TRY(auto address, own_table(text));
  dynamodb::TableAccess access(address);
  return wait(access.loop.run(access.parts.read()));
}

Status declare_parts(const std::string& text, const std::string& product,
                     const std::vector<std::size_t>& of_indexes, std::uint8_t parts,
                     const std::function<void(std::chrono::seconds)>& pause) {
  TRY(auto address, own_table(text));
  dynamodb::TableAccess access(address);
  bool more = false;
  for (auto index : of_indexes) {
    TRY(auto announced, wait(access.loop.run(access.parts.announce({product, index}, parts))));
    more |= announced;
  }
  if (more) pause(dynamodb::KnownParts::settled);
  for (auto index : of_indexes) {
    TRY_DONE(wait(access.loop.run(access.parts.begin({product, index}, parts))));
  }
  return Done{};
}

Result<std::string> export_table(const std::string& text, TableFormat format,
                                 const dynamodb::TableOptions& options) {
  TRY(auto address, address_of(text, "any"));
  if (format == TableFormat::cloudformation)
    return dynamodb::cloudformation(address.table, options);
  if (options.read_units == 0) return dynamodb::nosql_workbench(address.table);
  return Error{ErrorCode::invalid_parameter,
               "A model for NoSQL Workbench has no units: give them there, or take "
               "--format cloudformation."};
}

}  // namespace quire
