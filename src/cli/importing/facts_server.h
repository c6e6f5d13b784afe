// The target of facts of products that is a server.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/asking/asked_server.h"
#include "cli/importing/kept_row.h"
#include "cli/importing/target.h"
#include "product/facts.h"

namespace quire::cli {

// Tells a server facts of products, in place of those before: some products at once, and again
// where no answer comes, as telling them twice changes nothing. Of several rows of a product, the
// last counts.
class ServerFactsTarget : public Target {
 public:
  // The rejects must outlive it.
  ServerFactsTarget(std::unique_ptr<AskedServer> server, Rejects& rejects)
      : server_(std::move(server)), rejects_(rejects) {}
  void add(std::string_view json, const Origin& origin) override;
  bool failed() const override { return failed_.has_value(); }
  Status finish() override;
  std::vector<Tally> tally() const override { return {{"told", told_}}; }

 private:
  struct Waiting {
    NamedFacts row;
    KeptRow kept;
  };

  void send();
  Status take(const Result<HttpResponse>& answer, const Waiting& row);

  const std::unique_ptr<AskedServer> server_;
  Rejects& rejects_;
  std::vector<Waiting> waiting_;  // each of another product
  std::uint64_t told_ = 0;
  std::optional<Error> failed_;
};

}  // namespace quire::cli
