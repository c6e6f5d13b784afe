// Tokens of the shop are taken, and no others.
#include "identity/signed_token.h"

#include <gtest/gtest.h>

#include "identity/signing.h"

namespace quire::identity {
namespace {

constexpr std::uint64_t now_s = 1'800'000'000, now_ms = now_s * 1000;
const std::string secret = "0123456789abcdef0123456789abcdef";

std::string claims_of(std::string_view issuer, std::string_view more = {},
                      std::uint64_t end = now_s + 600) {
  return R"({"iss":")" + std::string(issuer) + R"(","aud":"reviews","sub":"customer-7","exp":)" +
         std::to_string(end) + std::string(more) + "}";
}

// One issuer for each algorithm, whose names are those of the algorithms.
struct Shop {
  Pair rsa = Pair::rsa(), ec = Pair::ec(), ed = Pair::ed25519(), second = Pair::ec();
  std::vector<Issuer> issuers = {
      {"HS256", "reviews", Algorithm::hs256, parse_secret(secret).value()},
      {"RS256", "reviews", Algorithm::rs256, keys(rsa.jwk(), Algorithm::rs256)},
      {"EdDSA", "reviews", Algorithm::eddsa, keys(ed.jwk(), Algorithm::eddsa)},
      {"ES256", "reviews", Algorithm::es256,
       keys(ec.jwk(R"("kid":"a",)") + "," + second.jwk(R"("kid":"b",)"), Algorithm::es256)}};

  static std::vector<Key> keys(std::string_view list, Algorithm algorithm) {
    return parse_key_set(key_set(list), algorithm).value();
  }
  Result<Claims> read(const std::string& token) const { return read_token(token, issuers, now_ms); }
  bool takes(const std::string& token) const { return read(token).ok(); }
  std::string by_secret(std::string_view more = {}, std::uint64_t end = now_s + 600) const {
    return signed_by_secret(secret, R"({"alg":"HS256","typ":"JWT"})",
                            claims_of("HS256", more, end));
  }
};

const Shop& shop() {
  static const Shop made;
  return made;
}

TEST(SignedToken, EachAlgorithmIsTaken) {
  EXPECT_TRUE(shop().takes(shop().by_secret()));
  EXPECT_TRUE(shop().takes(signed_by(shop().rsa, R"({"alg":"RS256"})", claims_of("RS256"))));
  EXPECT_TRUE(shop().takes(signed_by(shop().ed, R"({"alg":"EdDSA"})", claims_of("EdDSA"))));
  EXPECT_TRUE(
      shop().takes(signed_by(shop().ec, R"({"alg":"ES256","kid":"a"})", claims_of("ES256"))));
  EXPECT_TRUE(
      shop().takes(signed_by(shop().second, R"({"alg":"ES256","kid":"b"})", claims_of("ES256"))));
}

TEST(SignedToken, SaysWhoWritesAndWhatWasBought) {
  auto claims = shop()
                    .read(shop().by_secret(
                        R"(,"name":"Ann","purchases":["42","desk lamp"],"email":"a@b.example")"))
                    .value();
  EXPECT_EQ(claims.customer, "customer-7");
  EXPECT_EQ(claims.name, "Ann");
  EXPECT_EQ(claims.purchases, (std::vector<std::string>{"42", "desk lamp"}));
  EXPECT_FALSE(claims.verified);
  EXPECT_TRUE(shop().read(shop().by_secret(R"(,"verified":true)")).value().verified);
  auto bare = shop().read(shop().by_secret(R"(,"verified":false)")).value();
  EXPECT_EQ(bare.name, "");
  EXPECT_FALSE(bare.verified);
  EXPECT_TRUE(bare.purchases.empty());
}

TEST(SignedToken, TimesHaveAMinuteOfSkewAndADayOfLife) {
  auto ends = [&](std::uint64_t end) { return shop().takes(shop().by_secret("", end)); };
  EXPECT_TRUE(ends(now_s - 59));
  EXPECT_FALSE(ends(now_s - 60));
  EXPECT_TRUE(ends(now_s + 86'400 + 60));
  EXPECT_FALSE(ends(now_s + 86'400 + 61));
  auto begins = [&](std::uint64_t begin) {
    return shop().takes(shop().by_secret(",\"nbf\":" + std::to_string(begin)));
  };
  EXPECT_TRUE(begins(now_s + 60));
  EXPECT_FALSE(begins(now_s + 61));
}

TEST(SignedToken, AudiencesMayBeAList) {
  auto with = [&](std::string_view audience) {
    return shop().takes(signed_by_secret(
        secret, R"({"alg":"HS256"})",
        R"({"iss":"HS256","sub":"7","exp":1800000600,"aud":)" + std::string(audience) + "}"));
  };
  EXPECT_TRUE(with(R"(["shop","reviews"])"));
  EXPECT_FALSE(with(R"(["shop","reviews2"])"));
  EXPECT_FALSE(with(R"([])"));
  EXPECT_FALSE(with(R"(["shop",["reviews"]])"));
}

struct Forged {
  const char* how;
  std::string token;
};

// Tokens whose signature is right, and whose claims or header are not.
std::vector<Forged> wrong_claims() {
  auto by = [](std::string_view header, const std::string& claims) {
    return signed_by_secret(secret, header, claims);
  };
  constexpr std::string_view header = R"({"alg":"HS256"})";
  auto with = [](std::string_view more) { return shop().by_secret(more); };
  return {
      {"another audience", by(header, R"({"iss":"HS256","aud":"x","sub":"7","exp":1800000600})")},
      {"no audience", by(header, R"({"iss":"HS256","sub":"7","exp":1800000600})")},
      {"another issuer", by(header, claims_of("https://other.example"))},
      {"no issuer", by(header, R"({"aud":"reviews","sub":"7","exp":1800000600})")},
      {"issuer in other case", by(header, claims_of("hs256"))},
      {"no end", by(header, R"({"iss":"HS256","aud":"reviews","sub":"7"})")},
      {"an end as text",
       by(header, R"({"iss":"HS256","aud":"reviews","sub":"7","exp":"1800000600"})")},
      {"ended", shop().by_secret("", now_s - 3600)},
      {"an end far ahead", shop().by_secret("", now_s + 172'800)},
      {"an endless end", by(header, R"({"iss":"HS256","aud":"reviews","sub":"7","exp":1e300})")},
      {"a negative end", by(header, R"({"iss":"HS256","aud":"reviews","sub":"7","exp":-1})")},
      {"a future beginning", with(R"(,"nbf":1800003600)")},
      {"a beginning as text", with(R"(,"nbf":"1800000000")")},
      {"no customer", by(header, R"({"iss":"HS256","aud":"reviews","exp":1800000600})")},
      {"an empty customer",
       by(header, R"({"iss":"HS256","aud":"reviews","sub":"","exp":1800000600})")},
      {"a customer as number",
       by(header, R"({"iss":"HS256","aud":"reviews","sub":7,"exp":1800000600})")},
      {"a long customer", by(header, R"({"iss":"HS256","aud":"reviews","exp":1800000600,"sub":")" +
                                         std::string(129, 'x') + "\"}")},
      {"a member twice", with(R"(,"sub":"admin")")},
      {"a member twice, escaped", with(R"(,"s\u0075b":"admin")")},
      {"a member twice, deep", with(R"(,"x":{"y":1,"y":2})")},
      {"a name with a line", with(R"(,"name":"Ann\nBob")")},
      {"a long name", with(",\"name\":\"" + std::string(101, 'x') + "\"")},
      {"a name as number", with(R"(,"name":7)")},
      {"verified as text", with(R"(,"verified":"true")")},
      {"purchases as text", with(R"(,"purchases":"42")")},
      {"a purchase as number", with(R"(,"purchases":[42])")},
      {"claims that are a list", by(header, R"(["HS256"])")},
      {"claims that are deep", with(",\"x\":" + std::string(100, '[') + std::string(100, ']'))},
      {"claims that are no UTF-8", with(",\"x\":\"\xff\"")},
      {"crit", by(R"({"alg":"HS256","crit":["exp"]})", claims_of("HS256"))},
      {"b64", by(R"({"alg":"HS256","crit":["b64"],"b64":false})", claims_of("HS256"))},
      {"another type", by(R"({"alg":"HS256","typ":"at+jwt"})", claims_of("HS256"))},
      {"alg twice", by(R"({"alg":"HS256","alg":"none"})", claims_of("HS256"))},
      {"alg in other case", by(R"({"alg":"hs256"})", claims_of("HS256"))},
      {"no alg", by(R"({"typ":"JWT"})", claims_of("HS256"))},
      {"a huge token", with(",\"x\":\"" + std::string(max_token_bytes, 'x') + "\"")},
  };
}

// Tokens that the shop has not signed so.
std::vector<Forged> wrong_signatures() {
  const auto& [rsa, ec, ed, second, issuers] = shop();
  constexpr std::string_view es = R"({"alg":"ES256","kid":"a"})";
  auto text = encoded(es) + "." + encoded(claims_of("ES256"));
  auto with = [&](std::vector<std::uint8_t> signature) {
    return text + "." + base64url_encode(signature);
  };
  auto none = [&](std::string_view alg) {
    return encoded(R"({"alg":")" + std::string(alg) + "\"}") + "." + encoded(claims_of("RS256")) +
           ".";
  };
  auto raw = ec.jws(text);
  auto longer = raw, shorter = raw, wide = raw, parted = raw;
  longer.push_back(0);
  shorter.pop_back();
  wide.insert(wide.begin(), 0);
  parted.insert(parted.begin() + 32, 0);
  auto own = Pair::ec();
  auto public_rsa = rsa.jwk();
  return {
      {"alg none", none("none")},
      {"alg None", none("None")},
      {"no signature", none("RS256")},
      {"an empty signature", text + "."},
      {"the public key of RSA as secret",
       signed_by_secret(public_rsa, R"({"alg":"HS256"})", claims_of("RS256"))},
      {"the public key as secret, alg of RSA",
       signed_by_secret(public_rsa, R"({"alg":"RS256"})", claims_of("RS256"))},
      {"the secret's algorithm at another issuer",
       signed_by_secret(secret, R"({"alg":"HS256"})", claims_of("RS256"))},
      {"RSA at the issuer of EC", signed_by(rsa, R"({"alg":"RS256"})", claims_of("ES256"))},
      {"Ed25519 called EC", signed_by(ed, es, claims_of("ES256"))},
      {"another secret", signed_by_secret("0123456789abcdef0123456789abcdeX", R"({"alg":"HS256"})",
                                          claims_of("HS256"))},
      {"an unknown kid", signed_by(ec, R"({"alg":"ES256","kid":"c"})", claims_of("ES256"))},
      {"the other key's kid", signed_by(ec, R"({"alg":"ES256","kid":"b"})", claims_of("ES256"))},
      {"no kid", signed_by(ec, R"({"alg":"ES256"})", claims_of("ES256"))},
      {"a kid that is a path",
       signed_by(ec, R"({"alg":"ES256","kid":"../../dev/null"})", claims_of("ES256"))},
      {"a kid as number", signed_by(ec, R"({"alg":"ES256","kid":0})", claims_of("ES256"))},
      {"a key in the header",
       signed_by(own, R"({"alg":"ES256","kid":"a","jwk":)" + own.jwk() + "}", claims_of("ES256"))},
      {"the address of a key",
       signed_by(own, R"({"alg":"ES256","kid":"a","jku":"https://evil.example/jwks"})",
                 claims_of("ES256"))},
      {"a certificate in the header",
       signed_by(own, R"({"alg":"ES256","kid":"a","x5u":"https://evil.example"})",
                 claims_of("ES256"))},
      {"DER", with(ec.sign(text))},
      {"a byte more", with(longer)},
      {"a byte less", with(shorter)},
      {"a zero before", with(wide)},
      {"a zero between the numbers", with(parted)},
      {"zeros", with(std::vector<std::uint8_t>(64))},
      {"padding", text + "." + base64url_encode(raw) + "=="},
      {"stray bits",
       [&] {  // 64 bytes end in a letter of which four bits count for nothing
         auto token = with(raw);
         token.back() = static_cast<char>(token.back() + 1);
         return token;
       }()},
      {"letters of plain base64", text + "." + std::string(86, '+')},
      {"a space", text + ". " + base64url_encode(raw)},
      {"two parts", text},
      {"four parts", with(raw) + ".x"},
      {"five parts, encrypted", "a.b.c.d.e"},
      {"dots", ".."},
  };
}

TEST(SignedToken, NullIsWhatAProgramDoesNotHave) {
  auto claims = shop().read(shop().by_secret(R"(,"name":null,"purchases":null,"verified":null)"));
  ASSERT_TRUE(claims);
  EXPECT_EQ(claims->name, "");
  EXPECT_TRUE(claims->purchases.empty());
  EXPECT_FALSE(claims->verified);
}

TEST(SignedToken, NoForgedTokenIsTaken) {
  auto all = wrong_claims();
  for (auto& each : wrong_signatures()) all.push_back(std::move(each));
  EXPECT_GE(all.size(), 40u);
  for (const auto& [how, token] : all) {
    auto read = shop().read(token);
    EXPECT_FALSE(read.ok()) << how;
    if (!read) {
      EXPECT_TRUE(read.error().message.ends_with(".")) << how;
    }
  }
}

TEST(SignedToken, NoChangedByteIsTaken) {
  auto token = signed_by(shop().ed, R"({"alg":"EdDSA"})", claims_of("EdDSA"));
  ASSERT_TRUE(shop().takes(token));
  for (std::size_t i = 0; i < token.size(); ++i) {
    for (char letter : {'A', 'b', '7', '-', '.', '='}) {
      auto changed = token;
      changed[i] = letter;
      EXPECT_EQ(shop().takes(changed), changed == token) << i << letter;
    }
    EXPECT_FALSE(shop().takes(token.substr(0, i)));
  }
}

TEST(SignedToken, TwoDotsMakeASignedToken) {
  EXPECT_TRUE(is_signed_token("a.b.c"));
  EXPECT_FALSE(is_signed_token("quire_abc.def"));
  EXPECT_FALSE(is_signed_token("a.b.c.d"));
}

}  // namespace
}  // namespace quire::identity
