// No call that Quire makes for a request leaves wide registers in use: on processors of Intel every
// instruction of SSE behind it is slower then, in the whole program (docs/adr/0060).
#include <gtest/gtest.h>
#include <zlib.h>

#include <functional>
#include <iostream>

#include "base/hash.h"
#include "bitmap_index/words.h"
#include "cursor/cursor.h"
#include "dynamodb/signing.h"
#include "http/application/cache_fixture.h"
#include "http/encoding/compress.h"
#include "lmdb/sealed.h"
#include "model/comment_json.h"
#include "registers/wide_registers.h"

namespace quire {
namespace {

std::string text_of(std::size_t size) {
  std::string out(size, ' ');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>('!' + i * i % 90);
  return out;
}

// Makes the call twice: the first time it may initialize its library.
void expect_none_in_use(const std::string& name, const std::function<void()>& call) {
  call();
  if (!registers::can_tell()) return;
  registers::clear_upper();
  call();
  EXPECT_EQ(registers::upper_in_use(), 0u) << name << " leaves wide registers in use";
  registers::clear_upper();
}

void say_where_nobody_looks() {
  if (registers::can_tell()) return;
  std::cout << "This processor does not tell which registers are in use (XGETBV with 1):\n"
               "the calls are made, and nobody looks at what they leave.\n";
}

class Registers : public testing::Test {
 protected:
  void SetUp() override { say_where_nobody_looks(); }
};

class RegistersOfRequests : public http::CacheTest {
 protected:
  void SetUp() override { say_where_nobody_looks(); }
};

TEST_F(Registers, TellThatTheyAreInUse) {
  if (!registers::can_tell()) return;
  registers::use_upper();
  auto used = registers::upper_in_use();
  registers::clear_upper();
  EXPECT_EQ(used, registers::upper_of_256);
  EXPECT_EQ(registers::upper_in_use(), 0u);
}

TEST_F(Registers, AreLeftAloneByHashes) {
  for (std::size_t size : {20u, 200u, 241u, 300u, 1024u, 4096u, 40000u}) {
    auto text = text_of(size);
    auto name = " of " + std::to_string(size) + " bytes";
    expect_none_in_use("long_hash" + name, [&] { (void)long_hash(text); });
    expect_none_in_use("seal" + name, [&] { (void)lmdb::checksum(7, "key", text); });
    expect_none_in_use("document_tag" + name, [&] { (void)document_tag(text); });
    expect_none_in_use("SHA-256" + name, [&] { (void)sha256_hex(text); });
    expect_none_in_use("CRC-32" + name, [&] {
      (void)crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(size));
    });
  }
}

TEST_F(Registers, AreLeftAloneByBitmaps) {
  using namespace bitmap_index;
  for (std::size_t size : {1u, 7u, 64u, 200u}) {
    Words words(size, 0x5a5a5a5a5a5a5a5a), others(size, 0x1234567812345678);
    auto from = bytes_of(others);
    auto name = " of " + std::to_string(size) + " words";
    expect_none_in_use("popcount" + name, [&] { (void)popcount(words); });
    expect_none_in_use("count_common" + name, [&] { (void)count_common(words, from); });
    expect_none_in_use("add_words" + name, [&] { add_words(words, from); });
    expect_none_in_use("keep_words" + name, [&] { (void)keep_words(words, from); });
    expect_none_in_use("remove_words" + name, [&] { (void)remove_words(words, from); });
  }
}

TEST_F(Registers, AreLeftAloneByEncryption) {
  Seal seal({Seal::Key{}});
  auto token = seal.seal({});
  expect_none_in_use("sealing a cursor", [&] { (void)seal.seal({}); });
  expect_none_in_use("opening a cursor", [&] { (void)seal.open(token).value(); });
  expect_none_in_use("signing a request", [] {
    HttpRequest request{.headers = {{"host", "localhost"}}, .body = text_of(3000)};
    dynamodb::sign(request, {"key", "secret"}, {"eu-west-1"}, 1'700'000'000'000);
  });
}

TEST_F(Registers, AreLeftAloneByCompression) {
  auto text = text_of(30'000);
  for (auto coding : {http::Coding::gzip, http::Coding::zstd}) {
    auto name = " " + std::string(http::coding_name(coding));
    auto bytes = wait(http::compressed(coding, text));
    expect_none_in_use("compressing" + name, [&] { (void)wait(http::compressed(coding, text)); });
    expect_none_in_use("decompressing" + name, [&] { (void)http::decompressed(coding, bytes); });
  }
}

TEST_F(Registers, AreLeftAloneByJson) {
  constexpr auto json =
      R"({"language":"en","rating":5,"title":"Fits","attributes":{"size":"L","tags":["a","b"]}})";
  auto draft = parse_draft(json, "42").value();
  Comment comment{.product = "42",
                  .language = "en",
                  .rating = 5,
                  .title = text_of(100),
                  .text = text_of(900),
                  .attributes = draft.attributes};
  auto document = encode_document(comment);
  auto written = document_json(document);
  Schema schema({{2, {.facet = {.name = "size", .type = FacetType::choice}}}});
  auto declared = encode_schema(schema);
  expect_none_in_use("parsing a draft", [&] { (void)parse_draft(json, "42"); });
  expect_none_in_use("writing a document", [&] { (void)encode_document(comment); });
  expect_none_in_use("parsing a document", [&] { (void)comment_of(written).value(); });
  expect_none_in_use("reading a document", [&] { (void)decode_document(document); });
  expect_none_in_use("writing a schema", [&] { (void)encode_schema(schema); });
  expect_none_in_use("parsing a schema", [&] { (void)decode_schema(declared); });
}

TEST_F(RegistersOfRequests, AreLeftAlone) {
  for (int i = 0; i < 60; ++i) post("42", text_of(400), {{"size", std::string("L")}});
  for (const char* target :
       {"/v1/products/42/comments", "/v1/products/42/comments?page=2&rating=4&rating=5",
        "/v1/products/42/comments?facets=true&explain=true", "/v1/products/42/statistics",
        "/products/42", "/products/42/comments.atom", "/", "/openapi.json",
        "/v1/products/42/comments?page=x"}) {
    for (const char* coding : {"identity", "gzip", "zstd"}) {
      for (auto* application : {&cached_, &uncached_}) {
        expect_none_in_use(std::string(target) + " in " + coding, [&] {
          ask(*application, http::Verb::get, target, {{"Accept-Encoding", coding}});
        });
      }
    }
  }
  expect_none_in_use("a post", [&] { post("42", text_of(400)); });
}

}  // namespace
}  // namespace quire
