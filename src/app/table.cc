#include "app/table.h"

#include "loop/wait.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/provision/cloudformation.h"
#include "store/dynamodb/provision/nosql_workbench.h"
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

// Runs `work`, which is given the service, on the client's loop.
template <class Work>
Result<TableStatus> with_service(const std::string& text, Work work) {
  auto address = address_of(text, dynamodb::system_configuration());
  if (!address) return address.error();
  dynamodb::TableAccess access(*address);
  Service service{[&](dynamodb::Call call) { return access.client.send(std::move(call)); }, pause};
  return wait(access.loop.run(work(service, address->table)));
}

}  // namespace

Result<TableStatus> create_table(const std::string& address,
                                 const dynamodb::TableOptions& options) {
  return with_service(address, [&](const Service& service, const std::string& name) {
    return dynamodb::make_table(service, name, options);
  });
}

Result<TableStatus> describe_table(const std::string& address) {
  return with_service(address, [](const Service& service, const std::string& name) {
    return dynamodb::inspect_table(service, name);
  });
}

Result<std::string> export_table(const std::string& text, TableFormat format,
                                 const dynamodb::TableOptions& options) {
  auto address = address_of(text, "any");
  if (!address) return address.error();
  if (format == TableFormat::cloudformation)
    return dynamodb::cloudformation(address->table, options);
  if (options.read_units == 0) return dynamodb::nosql_workbench(address->table);
  return Error{ErrorCode::invalid_parameter,
               "A model for NoSQL Workbench has no units: give them there, or take "
               "--format cloudformation."};
}

}  // namespace quire
