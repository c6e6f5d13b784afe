#include "store/embedded/format/rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "base/limits.h"
#include "lmdb/sealed.h"

namespace quire::embedded {
namespace {

constexpr char row_version = 1;
constexpr std::size_t head_size = 16;      // version, three spare bytes, number, generation
constexpr std::size_t language_size = 48;  // language, five counts
constexpr std::size_t once_head = 40;      // time, digest of the body, id
constexpr std::size_t leader_head = 17;    // kind, language, score
constexpr double average_steps = 1e6;      // per star: the precision of averages

// The first language that is not before `language`.
auto first_from(auto& languages, FacetValue language) {
  return std::lower_bound(languages.begin(), languages.end(), language,
                          [](const LanguageRow& row, FacetValue l) { return row.language < l; });
}

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

const LanguageRow* ProductRow::find(FacetValue language) const {
  auto at = first_from(languages, language);
  return at != languages.end() && at->language == language ? &*at : nullptr;
}

bool ProductRow::has_room(FacetValue language) const {
  if (languages.size() < limits::product_languages) return true;
  auto has_comments = [](const LanguageRow& row) { return row.comments != RatingCounts{}; };
  const auto* row = find(language);
  if (row && has_comments(*row)) return true;
  auto all = std::count_if(languages.begin(), languages.end(), has_comments);
  return static_cast<std::size_t>(all) < limits::product_languages;
}

std::uint64_t& ProductRow::count(const Cell& cell) {
  auto at = first_from(languages, cell[language_facet]);
  if (at == languages.end() || at->language != cell[language_facet])
    at = languages.insert(at, {cell[language_facet], {}});
  return at->comments[cell[rating_facet] - 1];
}

Counts ProductRow::counts() const {
  Counts counts;
  counts.reserve(languages.size() * 5);
  for (const auto& row : languages) {
    for (FacetValue rating = 1; rating <= 5; ++rating) {
      counts.add({row.language, rating}, row.comments[rating - 1]);
    }
  }
  return counts;
}

RatingCounts ProductRow::ratings() const {
  RatingCounts sum{};
  for (const auto& row : languages) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row.comments[i];
  }
  return sum;
}

std::string format_row() {
  std::string row(format_magic);
  row.resize(row.size() + 4);
  put_u32(&row[format_magic.size()], format_version);
  return row;
}

std::string encode_product(const ProductRow& product) {
  std::string out(head_size + product.languages.size() * language_size, '\0');
  out[0] = row_version;
  put_u32(&out[4], product.number);
  put_u64(&out[8], product.generation);
  char* at = out.data() + head_size;
  for (const auto& row : product.languages) {
    put_u64(at, row.language);
    for (int i = 0; i < 5; ++i) put_u64(at + 8 + 8 * i, row.comments[i]);
    at += language_size;
  }
  return out;
}

ProductRow decode_product(std::string_view bytes) {
  if (bytes.size() < head_size || (bytes.size() - head_size) % language_size != 0 ||
      bytes[0] != row_version) {
    throw std::runtime_error("a product's row in the store is damaged");
  }
  ProductRow product{get_u32(&bytes[4]), get_u64(&bytes[8]), {}};
  product.languages.resize((bytes.size() - head_size) / language_size);
  const char* at = bytes.data() + head_size;
  for (auto& row : product.languages) {
    row.language = get_u64(at);
    for (int i = 0; i < 5; ++i) row.comments[i] = get_u64(at + 8 + 8 * i);
    at += language_size;
  }
  return product;
}

Key<20> comment_key(ProductNumber product, const Ulid& id) {
  Key<20> key;
  put_u32(key.bytes.data(), product);
  std::memcpy(key.bytes.data() + 4, id.bytes.data(), Ulid::size);
  return key;
}

Ulid id_at_end(std::string_view key) {
  if (key.size() < Ulid::size)
    throw lmdb::Damaged("a key in the store is damaged: run quire verify");
  Ulid id;
  std::memcpy(id.bytes.data(), key.data() + key.size() - Ulid::size, Ulid::size);
  return id;
}

std::string encode_once(const OnceRow& row) {
  std::string out(once_head, '\0');
  put_u64(out.data(), row.time_ms);
  std::memcpy(&out[8], row.body.data(), row.body.size());
  std::memcpy(&out[24], row.id.bytes.data(), Ulid::size);
  return out + row.document;
}

OnceRow decode_once(std::string_view bytes) {
  if (bytes.size() < once_head) throw std::runtime_error("a request key's row is damaged");
  OnceRow row{get_u64(bytes.data()), {}, {}, std::string(bytes.substr(once_head))};
  std::memcpy(row.body.data(), &bytes[8], row.body.size());
  std::memcpy(row.id.bytes.data(), &bytes[24], Ulid::size);
  return row;
}

std::string by_time_key(std::uint64_t time_ms, std::string_view key) {
  std::string out(8, '\0');
  put_u64(out.data(), time_ms);
  return out.append(key);
}

std::string leader_prefix(LeaderKind kind, FacetValue language) {
  std::string prefix(9, static_cast<char>(kind));
  put_u64(&prefix[1], language);
  return prefix;
}

std::optional<std::string> leader_key(LeaderKind kind, FacetValue language,
                                      std::string_view product, const RatingCounts& counts) {
  std::uint64_t score = counts[4];
  if (kind == LeaderKind::average) {
    score = static_cast<std::uint64_t>(std::llround(adjusted_average(counts) * average_steps));
  }
  if (score == 0) return {};
  std::string key = leader_prefix(kind, language);
  key.resize(leader_head);
  put_u64(&key[9], ~score);
  key += product;
  return key;
}

std::string_view leader_product(std::string_view key) {
  if (key.size() <= leader_head) throw lmdb::Damaged("a leader's key is damaged: run quire verify");
  return key.substr(leader_head);
}

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
