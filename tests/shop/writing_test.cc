// The tables of the shop file that say who writes and who signs.
#include "shop/tables.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "shop/shop_file.h"
#include "shop/shop_folder.h"

namespace quire::shop {
namespace {

constexpr const char* key_set =
    R"({"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwaaPURo-9Y"}]})";

class WritingTest : public ShopFolder {
 protected:
  static std::string issuer(const std::string& name, const std::string& rest) {
    return "[[identity]]\nissuer = \"" + name + "\"\naudience = \"reviews\"\n" + rest;
  }
};

TEST_F(WritingTest, SaysWhoWritesAndWhat) {
  auto shop = read_file(
      "[writing]\nwho = \"customers\"\nonce = true\nfields = [\"size\", \"fit\"]\nedit_days = "
      "30\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->who, Writers::customers);
  EXPECT_TRUE(shop->once);
  EXPECT_EQ(shop->fields, (std::vector<std::string>{"size", "fit"}));
  EXPECT_EQ(shop->edit_days, 30);
  EXPECT_TRUE(shop->warnings.empty());
  auto plain = read_file("[writing]\n");
  EXPECT_EQ(plain->who, Writers::nobody);
  EXPECT_FALSE(plain->once);
  EXPECT_EQ(plain->edit_days, 0);
}

TEST_F(WritingTest, EveryFaultIsTold) {
  EXPECT_EQ(
      faults("[writing]\nwho = \"all\"\nonce = 1\nfields = \"size\"\nedit_days = -1\nx = 1\n"),
      R"(shop.toml:2: who is "nobody", "customers" or "anyone".
shop.toml:3: once is true or false.
shop.toml:4: fields is a list of facets, such as ["size", "fit"].
shop.toml:5: edit_days is a whole number from 0 to 36500; 0: never.
shop.toml:6: [writing] has no "x". Take one of: edit_days, fields, link, once, who.)");
  for (auto name : {"verified", "helpful", "unhelpful", "Size", "status", ""})
    EXPECT_NE(faults("[writing]\nfields = [\"" + std::string(name) + "\"]\n"), "") << name;
}

TEST_F(WritingTest, SaysWhereCustomersWrite) {
  auto shop = read_file("[writing]\nlink = \"https://shop.example/r?p={product}\"\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(address_for(shop->write_url, "a/b"), "https://shop.example/r?p=a%2Fb");
  EXPECT_EQ(address_for("https://shop.example/reviews", "a"), "https://shop.example/reviews");
  for (auto link : {"/reviews", "ftp://shop.example/", "https://", "https://{product}:a/"})
    EXPECT_TRUE(faults(std::string("[writing]\nlink = \"") + link + "\"\n")
                    .starts_with("shop.toml:2: link is where customers write, such as https://"))
        << link;
}

TEST_F(WritingTest, OnceBindsNobodyWithoutAName) {
  auto shop = read_file("[writing]\nwho = \"anyone\"\nonce = true\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->warnings.size(), 1u);
}

TEST_F(WritingTest, NamesIssuersWithTheirKeys) {
  write("jwks.json", key_set);
  write("secret", std::string(32, 's') + "\n");
  auto shop = read_file("[writing]\nwho = \"customers\"\n" +
                        issuer("a", "algorithm = \"EdDSA\"\nkeys = \"jwks.json\"\n") +
                        issuer("b", "algorithm = \"HS256\"\nsecret = \"secret\"\n"));
  ASSERT_TRUE(shop) << shop.error().message;
  ASSERT_EQ(shop->issuers.size(), 2u);
  EXPECT_EQ(shop->issuers[0].algorithm, identity::Algorithm::eddsa);
  EXPECT_EQ(shop->issuers[1].name, "b");
  EXPECT_TRUE(shop->warnings.empty()) << shop->warnings.front();
}

TEST_F(WritingTest, WrongIssuersAreRefused) {
  write("jwks.json", key_set);
  write("short", "secret");
  write("secret", std::string(32, 's'));
  auto eddsa = issuer("a", "algorithm = \"EdDSA\"\nkeys = \"jwks.json\"\n");
  auto told = [&](const std::string& rest) { return faults(issuer("a", rest)); };
  EXPECT_EQ(faults(eddsa + eddsa), "shop.toml:7: This issuer stands there twice.");
  EXPECT_NE(faults("[identity]\nissuer = \"a\"\n").find("[[identity]]"), std::string::npos);
  EXPECT_NE(told("algorithm = \"none\"\nkeys = \"jwks.json\"\n").find("HS256, ES256"),
            std::string::npos);
  EXPECT_NE(told("algorithm = \"EdDSA\"\n"), "");
  EXPECT_NE(told("algorithm = \"HS256\"\nsecret = \"secret\"\nkeys = \"jwks.json\"\n"), "");
  EXPECT_NE(told("algorithm = \"HS256\"\nsecret = \"short\"\n").find("32 bytes"),
            std::string::npos);
  EXPECT_NE(told("algorithm = \"HS256\"\nkeys = \"jwks.json\"\n").find("no key for HS256"),
            std::string::npos);
  EXPECT_NE(told("algorithm = \"ES256\"\nsecret = \"secret\"\n").find("is for HS256"),
            std::string::npos);
  EXPECT_NE(told("algorithm = \"EdDSA\"\nkeys = \"none.json\"\n").find("No such file"),
            std::string::npos);
  EXPECT_NE(
      told("algorithm = \"EdDSA\"\nkeys = \"jwks.json\"\nurl = \"x\"\n").find("has no \"url\""),
      std::string::npos);
}

TEST_F(WritingTest, ASecretThatOthersMayReadIsWarnedOf) {
  write("secret", std::string(32, 's'));
  auto text = "[writing]\nwho = \"customers\"\n" +
              issuer("b", "algorithm = \"HS256\"\nsecret = \"secret\"\n");
  EXPECT_TRUE(read_file(text)->warnings.empty());
  chmod((directory_.path() + "/secret").c_str(), 0604);
  EXPECT_EQ(read_file(text)->warnings.size(), 1u);
}

TEST_F(WritingTest, AnotherSecretCountsAndHasNoPrint) {
  write("secret", std::string(32, 's'));
  write("shop.toml", issuer("b", "algorithm = \"HS256\"\nsecret = \"secret\"\n"));
  auto file = ShopFile::open(path_).value();
  auto before = file->shop();
  write("secret", std::string(32, 't'));
  file->reload();
  auto after = file->shop();
  EXPECT_NE(before, after);
  EXPECT_EQ(before->fingerprint, after->fingerprint);
}

}  // namespace
}  // namespace quire::shop
