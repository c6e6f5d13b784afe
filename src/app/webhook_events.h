// The log of events of a store, as the courier of webhooks reads it.
#pragma once

#include "service/comments.h"
#include "webhook/courier/events.h"

namespace quire {

// Thread-safe; the comments must outlive it.
class WebhookEvents : public webhook::Events {
 public:
  explicit WebhookEvents(Comments& comments) : comments_(comments) {}

  Bell& bell() override;
  // The log is kept from now on, if it was not before.
  Awaitable<Result<std::uint64_t>> newest() override;
  Awaitable<Result<std::optional<webhook::Run>>> after(std::optional<std::uint64_t> mark,
                                                       std::size_t limit) override;
  // Looks for it from the beginning of the log.
  Awaitable<Result<std::optional<webhook::Event>>> event(std::uint64_t mark) override;
  Awaitable<Result<std::vector<std::optional<Comment>>>> comments(std::vector<Ulid> ids) override;
  Awaitable<Result<std::string>> product_name(std::string product) override;

 private:
  Comments& comments_;
};

}  // namespace quire
