// A log of events, as the courier of webhooks reads it.
#pragma once

#include <atomic>

#include "service/changes.h"
#include "service/comments.h"
#include "store/store.h"
#include "webhook/courier/events.h"

namespace quire {

// Thread-safe; both must outlive it. `log`: a store that keeps the log, that of the comments or one
// beside a table.
class WebhookEvents : public webhook::Events {
 public:
  WebhookEvents(Store& log, Comments& comments) : log_(log), changes_(log), comments_(comments) {}

  Bell& bell() override;
  // The log is kept from now on, if it was not before.
  Awaitable<Result<std::uint64_t>> newest() override;
  Awaitable<Result<std::optional<webhook::Run>>> after(std::optional<std::uint64_t> mark,
                                                       std::size_t limit) override;
  // Looks for it from the beginning of the log.
  Awaitable<Result<std::optional<webhook::Event>>> event(std::uint64_t mark) override;
  Awaitable<Result<std::vector<std::optional<Comment>>>> comments(std::vector<Ulid> ids) override;
  Awaitable<Result<std::string>> product_name(std::string product) override;
  void stop() override { stopping_ = true; }

 private:
  Store& log_;
  Changes changes_;
  Comments& comments_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace quire
