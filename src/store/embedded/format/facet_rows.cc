#include "store/embedded/format/facet_rows.h"

#include <stdexcept>

namespace quire::embedded {
namespace {

constexpr char facet_version = 1;
constexpr std::size_t facet_head = 32;  // version, state, type, whether built, passed, built
constexpr std::size_t schema_size = 10;

void append_u16(std::string& out, std::size_t value) {
  char bytes[2];
  put_u16(bytes, static_cast<std::uint16_t>(value));
  out.append(bytes, sizeof bytes);
}

void put_text(std::string& out, std::string_view text) {
  append_u16(out, text.size());
  out += text;
}

[[noreturn]] void damaged() {
  throw std::runtime_error("the row of a facet in the store is damaged");
}

// Takes a text from the front of `bytes`.
std::string take_text(std::string_view& bytes) {
  if (bytes.size() < 2) damaged();
  auto size = get_u16(bytes.data());
  if (bytes.size() - 2 < size) damaged();
  std::string text(bytes.substr(2, size));
  bytes.remove_prefix(2 + size);
  return text;
}

}  // namespace

Key<2> facet_key(FacetNumber number) {
  Key<2> key;
  put_u16(key.bytes.data(), number);
  return key;
}

std::string encode_facet(const FacetRow& row) {
  std::string out(facet_head, '\0');
  out[0] = facet_version;
  out[1] = static_cast<char>(row.state);
  out[2] = static_cast<char>(row.facet.type);
  out[3] = row.built.has_value();
  put_u64(&out[4], row.passed);
  if (row.built) std::string_view(*row.built).copy(&out[12], row.built->bytes.size());
  put_text(out, row.facet.name);
  for (const auto& value : row.facet.values) put_text(out, value);
  return out;
}

FacetRow decode_facet(std::string_view key, std::string_view bytes) {
  constexpr auto last_state = static_cast<char>(FacetStatus::State::dropping);
  constexpr auto last_type = static_cast<char>(FacetType::number);
  if (key.size() != 2 || bytes.size() < facet_head || bytes[0] != facet_version || bytes[1] < 0 ||
      bytes[1] > last_state || bytes[2] < 0 || bytes[2] > last_type || (bytes[3] & ~1) != 0) {
    damaged();
  }
  FacetNumber number = get_u16(key.data());
  if (number < first_declared_number || number == no_facet) damaged();
  FacetRow row{
      number, static_cast<FacetStatus::State>(bytes[1]), {{}, static_cast<FacetType>(bytes[2])}};
  row.passed = get_u64(&bytes[4]);
  if (bytes[3]) {
    auto& key = row.built.emplace().bytes;
    bytes.copy(key.data(), key.size(), 12);
  }
  bytes.remove_prefix(facet_head);
  row.facet.name = take_text(bytes);
  while (!bytes.empty()) row.facet.values.push_back(take_text(bytes));
  return row;
}

std::string encode_schema(const SchemaRow& row) {
  std::string out(8, '\0');
  put_u64(out.data(), row.version);
  append_u16(out, row.next);
  return out;
}

SchemaRow decode_schema(std::string_view bytes) {
  if (bytes.size() != schema_size)
    throw std::runtime_error("the version of the facets in the store is damaged");
  return {get_u64(bytes.data()), get_u16(bytes.data() + 8)};
}

}  // namespace quire::embedded
