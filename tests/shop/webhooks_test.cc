// The tables [[webhook]].
#include <gtest/gtest.h>

#include "shop/shop_file.h"
#include "shop_folder.h"
#include "webhook/webhook.h"

namespace quire::shop {
namespace {

class WebhooksTest : public ShopFolder {
 protected:
  WebhooksTest() {
    write("secret", "whsec_" + std::string(32, 'A') + "\n");
    write("older", "whsec_" + std::string(32, 'B'));
  }
  static std::string webhook(const std::string& rest) { return "[[webhook]]\n" + rest; }
  static std::string with(const std::string& rest) {
    return webhook("name = \"a\"\nurl = \"https://a.example/\"\nsecret = \"secret\"\n" + rest);
  }
};

TEST_F(WebhooksTest, AreReadWithTheirSecrets) {
  auto shop = read_file(webhook(R"(name = "copy"
url = "https://shop.example/hooks?a=b"
secret = ["secret", "older"]
events = ["comment.posted", "comment.removed"]
rating.max = 2
language = ["de", "PT_br"]
products = ["shoes-", "hats-"]
imported = true
)") + webhook(R"(name = "bad"
url = "https://hooks.slack.com/services/T/B/x"
format = "slack"
rating.max = 2
)") + webhook(R"(name = "inside"
url = "http://127.0.0.1:9000/in"
secret = "secret"
language = "de"
private = true
)"));
  ASSERT_TRUE(shop) << shop.error().message;
  ASSERT_EQ(shop->webhooks.size(), 3u);
  const auto& copy = shop->webhooks[0];
  EXPECT_EQ(copy.name, "copy");
  EXPECT_EQ(copy.url, "https://shop.example/hooks?a=b");
  ASSERT_EQ(copy.secrets.size(), 2u);
  EXPECT_EQ(copy.secrets[0].bytes, std::string(24, '\0'));
  EXPECT_EQ(copy.events, (std::vector<std::string>{"comment.posted", "comment.removed"}));
  EXPECT_EQ(copy.max_rating, 2);
  EXPECT_EQ(copy.languages, (std::vector<std::string>{"de", "pt-BR"}));
  EXPECT_EQ(copy.products, (std::vector<std::string>{"shoes-", "hats-"}));
  EXPECT_TRUE(copy.imported);
  EXPECT_FALSE(copy.private_network);
  EXPECT_EQ(shop->webhooks[1].format, webhook::Format::slack);
  EXPECT_EQ(shop->webhooks[2].languages, (std::vector<std::string>{"de"}));
  EXPECT_TRUE(shop->webhooks[2].private_network);
}

TEST_F(WebhooksTest, EveryFaultIsTold) {
  auto told = faults(webhook(R"(name = "A b"
url = "http://shop.example/"
secret = "none"
events = ["comment.gone"]
format = "teams"
rating.max = 6
language = "english"
products = []
imported = 1
naem = "x"
)"));
  for (auto part :
       {"shop.toml:2: The name of a webhook is of a-z", "shop.toml:3: url is https://",
        "shop.toml:4: ", "shop.toml:5: events has names of events: comment.posted, comment.publish",
        R"(shop.toml:6: format is "standard" or "slack".)", "shop.toml:7: rating.max is a whole",
        "shop.toml:8: language has language tags", "shop.toml:9: products has beginnings",
        "shop.toml:10: imported is true or false.", "shop.toml:11: [[webhook]] has no \"naem\""})
    EXPECT_NE(told.find(part), std::string::npos) << part << " in\n" << told;
  EXPECT_EQ(faults("[webhook]\nname = \"a\"\n"),
            "shop.toml:1: webhook is a list of tables. Write [[webhook]] above each.");
  EXPECT_NE(faults(webhook("name = \"a\"\nurl = \"https://a.example/\"\n")).find("has secret"),
            std::string::npos);
  EXPECT_NE(faults(webhook("format = \"slack\"\n")).find("has name and url"), std::string::npos);
  EXPECT_EQ(faults(with("") + with("")), "shop.toml:5: The webhook a stands there twice.");
  std::string many;
  for (int i = 0; i < 17; ++i) many += with("");
  EXPECT_NE(faults(many).find("at most 16"), std::string::npos);
}

TEST_F(WebhooksTest, AWrongSecretIsNotQuoted) {
  write("secret", "whsec_short");
  EXPECT_EQ(faults(with("")).find("secret: A secret is whsec_"),
            std::string("shop.toml:4: ").size());
  EXPECT_EQ(faults(with("")).find("short"), std::string::npos);
}

TEST_F(WebhooksTest, AnInnerAddressNeedsTheOperatorsWord) {
  for (auto host : {"127.0.0.1", "[::1]", "[::ffff:7f00:1]", "169.254.169.254", "10.1.2.3"}) {
    auto url = "name = \"a\"\nsecret = \"secret\"\nurl = \"https://" + std::string(host) + "/\"\n";
    EXPECT_NE(faults(webhook(url)).find("with private = true alone."), std::string::npos) << host;
    EXPECT_EQ(faults(webhook(url + "private = true\n")), "") << host;
  }
}

TEST_F(WebhooksTest, AHostHasOneForm) {
  for (auto host :
       {"2130706433", "0x7f000001", "0177.0.0.1", "127.1", "127.0.0.1.", "[::127.0.0.1]",
        "[fe80::1%25eth0]", "ann@a.example", "A.example", "a.example:443"})
    EXPECT_NE(faults(webhook("name = \"a\"\nsecret = \"secret\"\nprivate = true\nurl = \"https://" +
                             std::string(host) + "/\"\n")),
              "")
        << host;
}

TEST_F(WebhooksTest, AnotherSecretCountsAndShowsInNoFingerprint) {
  write("shop.toml", with(""));
  auto file = ShopFile::open(path_).value();
  auto before = file->shop();
  write("secret", "whsec_" + std::string(32, 'C'));
  file->reload();
  EXPECT_NE(file->shop()->webhooks[0].secrets, before->webhooks[0].secrets);
  EXPECT_EQ(file->shop()->fingerprint, before->fingerprint);
}

TEST_F(WebhooksTest, AnAddressOfSlackIsASecret) {
  auto text = webhook("name = \"a\"\nurl = \"https://hooks.slack.com/x\"\nformat = \"slack\"\n");
  ASSERT_TRUE(read_file(text)->warnings.empty());
  chmod(path_.c_str(), 0644);
  auto shop = read(path_);
  ASSERT_EQ(shop->warnings.size(), 1u);
  EXPECT_NE(shop->warnings[0].find("may read"), std::string::npos);
}

}  // namespace
}  // namespace quire::shop
