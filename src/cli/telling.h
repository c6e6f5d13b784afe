// What a shop asks to be told beside the requests of its server.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/webhook_events.h"
#include "loop/bell.h"
#include "quire/result.h"
#include "service/changes.h"
#include "service/comments.h"
#include "shop/shop_file.h"
#include "store/store.h"
#include "webhook/courier/courier.h"

namespace quire::cli {

// Where messages to webhooks come from, and for whom.
struct Told {
  Store& log;  // keeps the log of events
  Comments& comments;
  std::string directory;       // of the log; empty: no webhook is told
  std::string public_url;      // of the pages; empty: messages have no link
  const shop::ShopFile* shop;  // null: there is no shop file
  Bell& shop_changed;          // rings after each change of it
};

// The log is kept as long as the shop file asks for one, and a courier tells the webhooks, which a
// change of the shop file may bring later.
class Telling {
 public:
  // All that `told` names must outlive this.
  explicit Telling(const Told& told);

  // unavailable.
  Status begin();
  // See Courier::deliveries().
  std::vector<webhook::Deliveries> deliveries() const;

 private:
  WebhookEvents events_;
  Changes changes_;
  const shop::ShopFile* shop_;
  std::optional<webhook::CourierOptions> options_;  // absent: no webhook is told
  std::optional<webhook::Courier> courier_;
};

}  // namespace quire::cli
