// [feeds] of the shop file: what the server makes for other programs.
#include "shop/tables.h"

namespace quire::shop {

void read_feeds(TomlReader& toml, const toml::table& table, Shop& shop) {
  toml.expect(table, "[feeds]", {"changes", "google"});
  shop.changes = toml.flag(table, "changes");
  shop.google_feed = toml.flag(table, "google");
}

}  // namespace quire::shop
