// Fuzzes the decoders of the embedded store: documents, rows of products, keys.
#include <stdexcept>

#include "fuzz.h"
#include "model/document.h"
#include "store/embedded/format/rows.h"

namespace quire::fuzz {
namespace {

void check_document(std::string_view bytes) {
  document_json(bytes);
  document_cell(bytes);
  auto comment = decode_document(bytes);
  if (!comment) return;
  auto document = encode_document(*comment, Members::kept);
  require(decode_document(document) == *comment, "a document holds its comment");
}

void check_product(std::string_view bytes) {
  embedded::ProductRow row;
  try {
    row = embedded::decode_product(bytes);
  } catch (const std::runtime_error&) {
    return;
  }
  auto text = embedded::encode_product(row);
  require(embedded::encode_product(embedded::decode_product(text)) == text,
          "a row is re-encoded unchanged");
  row.counts().total();
  row.find(row.languages.empty() ? any : row.languages[0].language);
  for (auto kind : {embedded::LeaderKind::five_star, embedded::LeaderKind::average}) {
    auto key = embedded::leader_key(kind, any, "42", row.ratings());
    if (key) require(embedded::leader_product(*key) == "42", "a leader key ends with its product");
  }
}

void check_once(std::string_view bytes) {
  embedded::OnceRow row;
  try {
    row = embedded::decode_once(bytes);
  } catch (const std::runtime_error&) {
    return;
  }
  require(embedded::encode_once(row) == bytes, "the row of a request is re-encoded unchanged");
}

void check_keys(std::string_view bytes) {
  try {
    embedded::id_at_end(bytes);
    embedded::leader_product(bytes);
  } catch (const std::runtime_error&) {
  }
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  auto bytes = text_of(data, size);
  switch (take_byte(bytes)) {
    case 'd':
      check_document(bytes);
      break;
    case 'p':
      check_product(bytes);
      break;
    case 'o':
      check_once(bytes);
      break;
    default:
      check_keys(bytes);
  }
  return 0;
}
