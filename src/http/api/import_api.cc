#include "http/api/import_api.h"

#include <boost/beast/core/string.hpp>
#include <utility>

#include "http/parameters.h"
#include "http/problem.h"

namespace quire::http {
namespace {

ImportRequest import_of(const Request& request) {
  ImportRequest import;
  import.gzip = boost::beast::iequals(request.header(Field::content_encoding), "gzip");
  import.new_customers = flag(request, "new_customers").value();  // the door has looked at them
  import.terms.update = flag(request, "update").value();
  import.terms.again = flag(request, "again").value();
  import.terms.product = request.permit->writer().products();
  import.path = request.path;
  return import;
}

}  // namespace

Awaitable<Response> ImportApi::take(const Request& request) {
  auto seat = enter(desk::limit_name(request.client));
  if (!seat)
    co_return problem("backend-unavailable",
                      "An import from this address is under way, or too many from others are. Try "
                      "again when it has ended.");
  auto record = desk_.import(*request.permit);
  if (!record) co_return problem(record.error());
  auto& store = comments_.store();
  auto view = store.view();
  auto schema = co_await view->schema();
  if (!schema) co_return problem(schema.error());
  Response response{.type = "application/jsonl"};
  response.taker = std::make_shared<ImportStream>(
      store, **schema, import_of(request), keys_,
      [seat, record = std::move(*record)](const desk::ImportCounts& counts) { record(counts); });
  co_return response;
}

ImportApi::Seat ImportApi::enter(const std::string& client) {
  std::lock_guard lock(mutex_);
  if (clients_.size() == max_imports || !clients_.insert(client).second) return {};
  return {this, [this, client](const void*) {
            std::lock_guard lock(mutex_);
            clients_.erase(client);
          }};
}

}  // namespace quire::http
