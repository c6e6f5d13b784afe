#include "cli/telling.h"

#include <spdlog/spdlog.h>

#include <string_view>

#include "base/try.h"
#include "loop/loop.h"
#include "store/ports.h"
#include "webhook/courier/asks.h"
#include "webhook/courier/ledger.h"

namespace quire::cli {

Telling::Telling(Comments& comments, const Common& common, const shop::ShopFile* shop,
                 Bell& shop_changed)
    : events_(comments), changes_(comments.changes()), shop_(shop) {
  constexpr std::string_view embedded = "lmdb:";
  if (!shop_ || !common.store.starts_with(embedded)) return;
  auto directory = common.store.substr(embedded.size());
  options_.emplace(webhook::CourierOptions{.ledger = webhook::ledger_file(directory),
                                           .asks = webhook::asks_file(directory),
                                           .shop = [shop] { return shop->shop(); },
                                           .shop_changed = shop_changed});
  if (!common.serve.public_url.empty())
    options_->moderation_url = common.serve.public_url + "/moderation";
}

Status Telling::begin() {
  auto shop = shop_ ? shop_->shop() : nullptr;
  bool wanted = shop && (shop->changes || !shop->webhooks.empty());
  if (wanted && !changes_.possible()) {
    spdlog::warn("changes = true in [feeds] and [[webhook]] are of no use here: {}",
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
