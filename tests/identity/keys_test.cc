// Key files: which keys are taken, and what is said of the others.
#include "identity/keys.h"

#include <gtest/gtest.h>

#include "identity/signing.h"

namespace quire::identity {
namespace {

std::string message_of(std::string_view file, Algorithm algorithm) {
  auto keys = parse_key_set(file, algorithm);
  return keys ? "" : keys.error().message;
}

TEST(Keys, AlgorithmsHaveTheNamesOfTheRegistry) {
  for (auto name : {"HS256", "ES256", "RS256", "EdDSA"})
    EXPECT_EQ(algorithm_name(parse_algorithm(name).value()), name);
  for (auto name : {"none", "", "hs256", "HS512", "PS256", "ES256K"})
    EXPECT_FALSE(parse_algorithm(name)) << name;
}

TEST(Keys, ASecretHas32BytesOrMore) {
  EXPECT_TRUE(parse_secret(std::string(32, 'x')).ok());
  EXPECT_TRUE(parse_secret(std::string(32, 'x') + "\n").ok());
  EXPECT_FALSE(parse_secret(std::string(31, 'x')).ok());
  EXPECT_FALSE(parse_secret(std::string(31, 'x') + "\n").ok());
  auto text = std::string(32, 'x') + "\n\n";  // the last line feed alone is left out
  auto mac = hmac_sha256(std::string(32, 'x') + "\n", "text");
  EXPECT_TRUE(parse_secret(text).value().front().signed_by("text", mac));
}

// Whoever knows a public key would sign by it.
TEST(Keys, APublicKeyIsNoSecret) {
  for (std::string text : {"-----BEGIN PUBLIC KEY-----\n", R"({"keys":[{"kty":"EC"}]})"}) {
    auto refused = parse_secret(text + std::string(64, 'x'));
    ASSERT_FALSE(refused) << text;
    EXPECT_NE(refused.error().message.find("name it under keys"), std::string::npos);
  }
}

TEST(Keys, ASecretMayBeAnyBytes) {
  EXPECT_TRUE(parse_secret("{" + std::string(32, '\xff')).ok());
  EXPECT_TRUE(parse_secret("{\"" + std::string(32, '\0')).ok());
}

// Anybody makes signatures that such a key verifies.
TEST(Keys, PointsOfSmallOrderAreNoKeys) {
  auto jwk = [](const std::string& x) {
    return key_set(R"({"kty":"OKP","crv":"Ed25519","x":")" + encoded(x) + "\"}");
  };
  auto ff = [](char first, char last) {
    return std::string(1, first) + std::string(30, '\xff') + last;
  };
  std::vector<std::string> points = {
      std::string(32, '\0'),
      '\1' + std::string(31, '\0'),
      ff('\xec', '\x7f'),
      ff('\xed', '\x7f'),
      ff('\xee', '\x7f'),
      "\x26\xe8\x95\x8f\xc2\xb2\x27\xb0\x45\xc3\xf4\x89\xf2\xef\x98\xf0\xd5\xdf\xac\x05\xd3\xc6\x33"
      "\x39\xb1\x38\x02\x88\x6d\x53\xfc\x05",
      "\xc7\x17\x6a\x70\x3d\x4d\xd8\x4f\xba\x3c\x0b\x76\x0d\x10\x67\x0f\x2a\x20\x53\xfa\x2c\x39\xcc"
      "\xc6\x4e\xc7\xfd\x77\x92\xac\x03\x7a"};
  for (auto point : points) {
    ASSERT_EQ(point.size(), 32u);
    EXPECT_NE(message_of(jwk(point), Algorithm::eddsa), "") << encoded(point);
    point.back() = static_cast<char>(point.back() | 0x80);
    EXPECT_NE(message_of(jwk(point), Algorithm::eddsa), "") << encoded(point);
  }
  EXPECT_EQ(message_of(key_set(Pair::ed25519().jwk()), Algorithm::eddsa), "");
}

TEST(Keys, ASetHasKeysOfSeveralKinds) {
  auto rsa = Pair::rsa(), ec = Pair::ec(), ed = Pair::ed25519();
  auto file = key_set(rsa.jwk(R"("kid":"r","use":"sig",)") + "," + ec.jwk(R"("kid":"e",)") + "," +
                      ed.jwk(R"("kid":"d","alg":"EdDSA","key_ops":["verify"],)") +
                      R"(,{"kty":"oct","kid":"o","k":")" + encoded(std::string(32, 'k')) + "\"}");
  for (auto [algorithm, id] : {std::pair(Algorithm::rs256, "r"),
                               {Algorithm::es256, "e"},
                               {Algorithm::eddsa, "d"},
                               {Algorithm::hs256, "o"}}) {
    auto keys = parse_key_set(file, algorithm);
    ASSERT_TRUE(keys.ok()) << id;
    ASSERT_EQ(keys->size(), 1u) << id;
    EXPECT_EQ(keys->front().id(), id);
  }
  auto mac = hmac_sha256(std::string(32, 'k'), "text");
  EXPECT_TRUE(parse_key_set(file, Algorithm::hs256)->front().signed_by("text", mac));
}

TEST(Keys, KeysForOtherUsesArePassedOver) {
  auto ec = Pair::ec();
  for (const auto& [more, told] :
       {std::pair(R"("use":"enc",)", R"(One of this kind has "use": "enc".)"),
        {R"("alg":"ECDH-ES",)", R"(One of this kind has "alg": "ECDH-ES".)"},
        {R"("key_ops":["deriveKey"],)", R"(One of this kind has "key_ops": ["deriveKey"].)"}}) {
    auto message = message_of(key_set(ec.jwk(more)), Algorithm::es256);
    EXPECT_NE(message.find("no key for ES256"), std::string::npos) << message;
    EXPECT_NE(message.find(told), std::string::npos) << message;
  }
}

TEST(Keys, WeakKeysAreRefused) {
  EXPECT_NE(message_of(key_set(Pair::rsa(1024).jwk()), Algorithm::rs256), "");
  EXPECT_NE(message_of(key_set(Pair::rsa(2040).jwk()), Algorithm::rs256), "");
  auto rsa = Pair::rsa().jwk();
  auto even = rsa;
  even.replace(even.find("AQAB"), 4, "AQAA");
  EXPECT_NE(message_of(key_set(even), Algorithm::rs256), "");
  auto one = rsa;
  one.replace(one.find("\"AQAB\""), 6, "\"AQ\"");
  EXPECT_NE(message_of(key_set(one), Algorithm::rs256), "");
  auto wide = rsa;
  wide.replace(wide.find("AQAB"), 4, encoded(std::string(300, 'x')));
  EXPECT_NE(message_of(key_set(wide), Algorithm::rs256), "");
  EXPECT_NE(message_of(R"({"keys":[{"kty":"oct","k":"c2hvcnQ"}]})", Algorithm::hs256), "");
  auto ec = Pair::ec().jwk();
  auto at = ec.find("\"x\":\"") + 5;
  ec[at + 3] = ec[at + 3] == 'A' ? 'B' : 'A';  // not on the curve
  EXPECT_NE(message_of(key_set(ec), Algorithm::es256), "");
}

TEST(Keys, APrivateKeyIsNoKeyFile) {
  auto told = message_of(key_set(Pair::ed25519().jwk(R"("d":"AAAA",)")), Algorithm::eddsa);
  EXPECT_NE(told.find("private"), std::string::npos) << told;
}

TEST(Keys, SeveralKeysHaveNames) {
  auto a = Pair::ed25519(), b = Pair::ed25519();
  auto two = [&](std::string_view first, std::string_view second) {
    return message_of(key_set(a.jwk(first) + "," + b.jwk(second)), Algorithm::eddsa);
  };
  EXPECT_EQ(two(R"("kid":"a",)", R"("kid":"b",)"), "");
  EXPECT_NE(two(R"("kid":"a",)", R"("kid":"a",)"), "");
  EXPECT_NE(two(R"("kid":"a",)", ""), "");
  std::string many;
  for (std::size_t i = 0; i <= max_keys; ++i)
    many += (i ? "," : "") + a.jwk("\"kid\":\"" + std::to_string(i) + "\",");
  EXPECT_NE(message_of(key_set(many), Algorithm::eddsa), "");
}

TEST(Keys, OtherFilesAreRefusedWithASentence) {
  for (auto file : {"", "{}", "[]", R"({"keys":{}})", R"({"keys":[1]})", R"({"keys":[]})",
                    R"({"keys":[],"keys":[]})", "-----BEGIN PUBLIC KEY-----",
                    R"({"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]})",
                    R"({"keys":[{"kty":"EC","crv":"P-521"}]})", R"({"keys":[{"kty":"RSA"}]})"}) {
    for (auto algorithm : {Algorithm::es256, Algorithm::rs256, Algorithm::eddsa}) {
      auto told = message_of(file, algorithm);
      EXPECT_TRUE(told.ends_with(".")) << file << told;
    }
  }
}

}  // namespace
}  // namespace quire::identity
