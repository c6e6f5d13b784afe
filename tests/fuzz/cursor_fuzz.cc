// Fuzzes cursors: as a client sends them, and with a valid seal, so that their contents are parsed
// too.
#include <algorithm>
#include <vector>

#include "base/text.h"
#include "shop.h"

namespace quire::fuzz {
namespace {

constexpr Seal::Key key{1};  // of the shop

constexpr std::size_t plain_size = 29, token_size = 60;

std::string sealed(std::string_view text) {
  static const Siv siv(key);
  std::vector<std::uint8_t> plain(plain_size);
  std::copy_n(text.begin(), std::min(text.size(), plain.size()), plain.begin());
  auto tag = siv.seal(plain);
  std::vector<std::uint8_t> bytes(tag.begin(), tag.end());
  bytes.insert(bytes.end(), plain.begin(), plain.end());
  return base64url_encode(bytes);
}

void open(const std::string& token) {
  static const Seal seal({key});
  auto cursor = seal.open(token);
  if (!cursor) return;
  auto again = seal.seal(*cursor);
  require(seal.open(again).value() == *cursor, "a token keeps its cursor");
  if (token.size() == token_size) require(again == token, "a cursor has one token");
}

// Asks for a page at the position, under the filter of the cursor.
void walk(std::string_view plain, const std::string& token) {
  Query query{.product = "42", .limit = 3};
  query.sort = static_cast<Sort>(plain.size() > 1 ? plain[1] >> 1 & 3 : 0);
  query.after = token;
  auto page = wait(shop().comments.page(query));
  if (!page) {
    require(!page.error().message.empty(), "a refusal says why");
    return;
  }
  require(page->rows.size() <= query.limit, "a page keeps its limit");
  for (bool back : {false, true}) {
    Query more = query;
    more.after = back ? std::nullopt : page->next;
    more.before = back ? page->previous : std::nullopt;
    require(wait(shop().comments.page(more)).ok(), "the cursors of a page work");
  }
}

// Replaces the fingerprint by that of the filter.
std::string with_fingerprint(std::string_view plain) {
  static const std::string first = [] {
    Query query{.product = "42", .limit = 3};
    return wait(shop().comments.page(query)).value().next.value();
  }();
  static const auto fingerprint = Seal({key}).open(first).value().fingerprint;
  std::string out(plain);
  out.resize(plain_size);
  for (std::size_t i = 0; i < 4; ++i)
    out[out.size() - 4 + i] = static_cast<char>(fingerprint >> (24 - 8 * i));
  return out;
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  auto text = text_of(data, size);
  open(std::string(text));
  open(sealed(text));
  walk(text, sealed(text));
  walk(text, sealed(with_fingerprint(text)));
  return 0;
}
