#include "mapping/presets/presets.h"

#include <algorithm>
#include <string>

namespace quire {

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = [] {
    std::vector<Preset> out;
    for (std::string_view name :
         {"amazon", "bazaarvoice", "google", "judgeme", "loox", "magento", "okendo", "play",
          "shopify", "stamped", "trustpilot", "woocommerce", "wordpress", "yotpo"}) {
      auto text = built_in_map(std::string(name) + ".toml");
      constexpr std::string_view sign = "# ";
      auto sentence = text.substr(sign.size(), text.find('\n') - sign.size());
      out.push_back({name, sentence, text});
    }
    return out;
  }();
  return all;
}

const Preset* find_preset(std::string_view name) {
  const auto& all = presets();
  auto found = std::ranges::find(all, name, &Preset::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace quire
