// What a shop asks to be told beside the requests of its server.
#pragma once

#include <optional>
#include <vector>

#include "app/webhook_events.h"
#include "cli/commands.h"
#include "loop/bell.h"
#include "quire/result.h"
#include "service/comments.h"
#include "shop/shop_file.h"
#include "webhook/courier/courier.h"

namespace quire::cli {

// The store keeps its log of events as long as the shop file asks for one, and a courier tells the
// webhooks, which a change of the shop file may bring later.
class Telling {
 public:
  // All must outlive this. `shop`: null where there is no shop file. `shop_changed` rings after
  // each change of it.
  Telling(Comments& comments, const Common& common, const shop::ShopFile* shop, Bell& shop_changed);

  // unavailable.
  Status begin();
  // See Courier::deliveries().
  std::vector<webhook::Deliveries> deliveries() const;

 private:
  WebhookEvents events_;
  Changes& changes_;
  const shop::ShopFile* shop_;
  std::optional<webhook::CourierOptions> options_;  // absent: no webhook is told
  std::optional<webhook::Courier> courier_;
};

}  // namespace quire::cli
