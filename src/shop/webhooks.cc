#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/web_address.h"
#include "model/facets.h"
#include "model/validate.h"
#include "shop/tables.h"
#include "webhook/network.h"
#include "webhook/webhook.h"

namespace quire::shop {
namespace {

using webhook::Format;

constexpr std::size_t max_webhooks = 16;
constexpr std::size_t max_webhook_name = 32;
constexpr std::size_t max_wanted = 100;  // values of one line
constexpr std::size_t max_secrets = 4;
constexpr std::size_t max_webhook_url = 2'000;

bool is_webhook_name(std::string_view name) {
  auto plain = [](char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '-' || c == '_';
  };
  return name.size() <= max_webhook_name && std::all_of(name.begin(), name.end(), plain);
}

// The kind of network in which the host is, where the host is an address itself.
std::string_view network_of(std::string_view host) {
  bool ipv6 = host.starts_with('[');
  std::string text(ipv6 ? host.substr(1, host.size() - 2) : host);
  std::array<std::uint8_t, 16> bytes{};
  if (inet_pton(ipv6 ? AF_INET6 : AF_INET, text.c_str(), bytes.data()) != 1) return {};
  return webhook::inner_network(std::span(bytes).first(ipv6 ? 16 : 4));
}

class WebhookReader {
 public:
  WebhookReader(TomlReader& toml, const toml::table& table, const FileNamed& file)
      : toml_(toml), table_(table), file_(file) {}

  webhook::Webhook read() {
    toml_.expect(table_, "[[webhook]]",
                 {"name", "url", "secret", "events", "format", "rating", "language", "products",
                  "imported", "private"});
    name();
    format();
    out_.private_network = toml_.flag(table_, "private");
    url();
    secrets();
    events();
    rating();
    out_.imported = toml_.flag(table_, "imported");
    each("language", "language tags, such as [\"en\", \"pt-BR\"]", [this](std::string text) {
      auto tag = canonical_language(text);
      if (tag) out_.languages.push_back(std::move(*tag));
      return tag.has_value();
    });
    each("products", "beginnings of the ids of products, such as [\"shoes-\"]",
         [this](std::string text) {
           bool name = is_product_name(text);
           if (name) out_.products.push_back(std::move(text));
           return name;
         });
    return std::move(out_);
  }

 private:
  void name() {
    if (!table_.contains("name") || !table_.contains("url"))
      toml_.refuse(table_, "[[webhook]] has name and url.");
    auto name = toml_.text(table_, "name");
    if (!name) return;
    if (!is_webhook_name(*name))
      return refuse("name", "The name of a webhook is of a-z, 0-9, - and _, at most 32.");
    out_.name = std::move(*name);
  }

  void format() {
    const auto* node = table_.get("format");
    auto value = node ? node->value_exact<std::string>() : "standard";
    if (value == "slack")
      out_.format = Format::slack;
    else if (value != "standard")
      toml_.refuse(*node, R"(format is "standard" or "slack".)");
  }

  void url() {
    auto url = toml_.text(table_, "url");
    if (!url) return;
    auto address = parse_web_address(*url);
    if (!address || url->size() > max_webhook_url || address->rest.find('#') != std::string::npos)
      return refuse("url", fmt::format("url is {}, and at most 2000 bytes.", web_address_wanted));
    if (!address->secure && !out_.private_network)
      return refuse("url",
                    "url is https://, so that nobody on the way reads comments. http:// is for "
                    "networks of one's own, with private = true.");
    if (auto network = network_of(address->host); !network.empty() && !out_.private_network)
      return refuse("url", fmt::format("{} is a {} address: webhooks go there with private = true "
                                       "alone.",
                                       address->host, network));
    out_.url = std::move(*url);
  }

  void secrets() {
    if (out_.format == Format::standard && !table_.contains("secret"))
      return toml_.refuse(table_,
                          "A webhook has secret = \"FILE\", by which the receiver knows that Quire "
                          "sent a message; of format = \"slack\" it needs none.");
    const auto* list = table_.get_as<toml::array>("secret");
    if (list && (list->empty() || list->size() > max_secrets))
      return refuse("secret", "secret is a file, or a list of at most four files.");
    each("secret", "files", [this](const std::string& name) {
      const auto& node = *table_.get("secret");
      const auto& text = file_(name, true);
      if (!text.trouble.empty()) return toml_.refuse(node, text.trouble), true;
      auto secret = webhook::parse_secret(text.bytes);
      if (secret)
        out_.secrets.push_back(std::move(*secret));
      else
        toml_.refuse(node, fmt::format("{}: {}", name, secret.error().message));
      return true;
    });
  }

  void events() {
    auto form = fmt::format("names of events: {}, {}", webhook::posted,
                            fmt::join(webhook::event_types, ", "));
    each("events", form, [this](std::string text) {
      bool known = webhook::is_event_name(text);
      if (known) out_.events.push_back(std::move(text));
      return known;
    });
  }

  void rating() {
    const auto* table = toml_.table(table_, "rating", "rating.max = 2");
    if (!table) return;
    toml_.expect(*table, "rating", {"max"});
    const auto* node = table->get("max");
    if (!node) return;
    auto value = node->value_exact<std::int64_t>();
    if (!value || *value < 1 || *value > 5)
      return toml_.refuse(*node, "rating.max is a whole number from 1 to 5.");
    out_.max_rating = static_cast<int>(*value);
  }

  // Gives each text of a line, which may be one text or a list, to `take`. Its answer: whether the
  // text has the right form.
  void each(std::string_view line, std::string_view form,
            const std::function<bool(std::string)>& take) {
    const auto* node = table_.get(line);
    if (!node) return;
    auto refused = [&](const toml::node& at) {
      toml_.refuse(at, fmt::format("{} has {}.", line, form));
    };
    auto take_text = [&](const toml::node& at) {
      auto text = at.value_exact<std::string>();
      if (!text || text->empty() || !take(std::move(*text))) refused(at);
    };
    const auto* list = node->as_array();
    if (!list) return take_text(*node);
    if (list->empty() || list->size() > max_wanted) return refused(*node);
    for (const auto& value : *list) take_text(value);
  }

  void refuse(std::string_view line, std::string_view sentence) {
    toml_.refuse(*table_.get(line), sentence);
  }

  TomlReader& toml_;
  const toml::table& table_;
  const FileNamed& file_;
  webhook::Webhook out_;
};

}  // namespace

void read_webhooks(TomlReader& toml, const toml::node& node, const FileNamed& file, Shop& shop) {
  const auto* list = node.as_array();
  if (!list || !list->is_array_of_tables())
    return toml.refuse(node, "webhook is a list of tables. Write [[webhook]] above each.");
  if (list->size() > max_webhooks) return toml.refuse(node, "There are at most 16 webhooks.");
  for (const auto& each : *list) {
    auto read = WebhookReader(toml, *each.as_table(), file).read();
    bool twice = std::any_of(shop.webhooks.begin(), shop.webhooks.end(),
                             [&](const auto& other) { return other.name == read.name; });
    if (twice && !read.name.empty())
      toml.refuse(each, fmt::format("The webhook {} stands there twice.", read.name));
    shop.webhooks.push_back(std::move(read));
  }
}

}  // namespace quire::shop
