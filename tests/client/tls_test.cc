// The certificates that connections with TLS trust. The certificates are made here, and this
// process trusts only the file that SSL_CERT_FILE names.
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <boost/asio/ssl/context.hpp>
#include <cstdlib>
#include <fstream>

#include "client/http_client.h"
#include "client/scripted_server.h"
#include "temporary_directory.h"

namespace quire {
namespace {

namespace ssl = boost::asio::ssl;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
  void operator()(BIO* bio) const { BIO_free(bio); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

// A self-signed certificate for these names ("DNS:localhost"), valid for a day around `at`.
struct Certificate {
  Owned<EVP_PKEY> key{EVP_EC_gen("P-256")};
  Owned<X509> x509{X509_new()};

  explicit Certificate(const std::string& names, std::time_t at = std::time(nullptr)) {
    constexpr long half_a_day = 12 * 60 * 60;
    X509_set_version(x509.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x509.get()), 1);
    X509_time_adj(X509_getm_notBefore(x509.get()), -half_a_day, &at);
    X509_time_adj(X509_getm_notAfter(x509.get()), half_a_day, &at);
    X509_set_pubkey(x509.get(), key.get());
    Owned<X509_EXTENSION> extension(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str()));
    X509_add_ext(x509.get(), extension.get(), -1);
    X509_sign(x509.get(), key.get(), EVP_sha256());
  }

  std::string pem() const {
    Owned<BIO> bio(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(bio.get(), x509.get());
    char* text = nullptr;
    auto size = BIO_get_mem_data(bio.get(), &text);
    return {text, static_cast<std::size_t>(size)};
  }
};

class Trust : public testing::Test {
 protected:
  void SetUp() override { trust(""); }
  void TearDown() override { unsetenv("SSL_CERT_FILE"); }

  // Trusts the certificates in this text alone.
  void trust(const std::string& pem) {
    std::ofstream(directory_.path() + "/trusted") << pem;
    setenv("SSL_CERT_FILE", (directory_.path() + "/trusted").c_str(), 1);
  }

  // Sends two requests to a server with this certificate. Returns its answers, or why there are
  // none.
  std::string ask(const Certificate& certificate, const std::string& host) {
    ssl::context tls(ssl::context::tls_server);
    SSL_CTX_use_certificate(tls.native_handle(), certificate.x509.get());
    SSL_CTX_use_PrivateKey(tls.native_handle(), certificate.key.get());
    OneLoop loop;
    ScriptedServer server(loop.context(), &tls);
    server.answers(success("{1}"));
    server.answers(success("{2}"));
    HttpClient client(loop.context(), {true, host, server.port()});
    auto exchange = [&] {
      auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      auto response = loop.run(client.send({}, deadline));
      return response ? response->body : response.error().message;
    };
    auto first = exchange();
    connected_ = server.accepted() > 0;
    if (server.requests().empty()) return first;
    auto both = first + exchange();
    EXPECT_EQ(server.accepted(), 1u) << "one connection is enough";
    return both;
  }
  // Whether nothing was sent to the server.
  bool refuses(const Certificate& certificate, const std::string& host) {
    auto reason = ask(certificate, host);
    EXPECT_TRUE(connected_);
    return reason.starts_with("cannot reach " + host + ":") &&
           reason.find("certificate verify failed") != reason.npos;
  }

  TemporaryDirectory directory_;
  bool connected_ = false;
};

TEST_F(Trust, IsGivenToACertificateThatIsTrustedForTheName) {
  Certificate certificate("DNS:localhost,IP:127.0.0.1");
  trust(certificate.pem());
  EXPECT_EQ(ask(certificate, "localhost"), "{1}{2}");
  EXPECT_EQ(ask(certificate, "127.0.0.1"), "{1}{2}");
}

TEST_F(Trust, IsNotGivenToACertificateThatSignedItself) {
  Certificate certificate("DNS:localhost"), another("DNS:localhost");
  EXPECT_TRUE(refuses(certificate, "localhost"));
  trust(another.pem());
  EXPECT_TRUE(refuses(certificate, "localhost"));
}

TEST_F(Trust, IsNotGivenToACertificateOfAnotherName) {
  Certificate certificate("DNS:localhost.example,DNS:*.localhost,IP:127.0.0.2");
  trust(certificate.pem());
  EXPECT_TRUE(refuses(certificate, "localhost"));
  EXPECT_TRUE(refuses(certificate, "127.0.0.1"));
}

TEST_F(Trust, IsNotGivenToAnExpiredCertificate) {
  Certificate certificate("DNS:localhost", std::time(nullptr) - 2 * 24 * 60 * 60);
  trust(certificate.pem());
  EXPECT_TRUE(refuses(certificate, "localhost"));
}

}  // namespace
}  // namespace quire
