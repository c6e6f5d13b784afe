#include "cli/telling.h"

#include <spdlog/spdlog.h>

#include "base/try.h"
#include "loop/loop.h"
#include "store/ports.h"
#include "webhook/courier/asks.h"
#include "webhook/courier/ledger.h"

namespace quire::cli {

Telling::Telling(const Told& told)
    : events_(told.log, told.comments), changes_(told.log), shop_(told.shop) {
  if (!shop_ || told.directory.empty()) return;
  options_.emplace(webhook::CourierOptions{.ledger = webhook::ledger_file(told.directory),
                                           .asks = webhook::asks_file(told.directory),
                                           .shop = [shop = shop_] { return shop->shop(); },
                                           .shop_changed = told.shop_changed});
  if (!told.public_url.empty()) options_->moderation_url = told.public_url + "/moderation";
}

Status Telling::begin() {
  auto shop = shop_ ? shop_->shop() : nullptr;
  bool wanted = shop && (shop->changes || !shop->webhooks.empty());
  if (wanted && !changes_.possible()) {
    spdlog::warn(
        "changes = true in [feeds] and [[webhook]] are of no use here: {} quire project --events "
        "tells the webhooks of Quire's own tables.",
        no_events().message);
    return Done{};
  }
  TRY_DONE(wait(changes_.keep(wanted)));
  if (options_) courier_.emplace(events_, *options_);
  return Done{};
}

std::vector<webhook::Deliveries> Telling::deliveries() const {
  return courier_ ? courier_->deliveries() : std::vector<webhook::Deliveries>();
}

}  // namespace quire::cli
