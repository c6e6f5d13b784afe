#include "store/embedded/format/rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

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

}  // namespace

const LanguageRow* ProductRow::find(FacetValue language) const {
  auto at = first_from(languages, language);
  return at != languages.end() && at->language == language ? &*at : nullptr;
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

std::string once_by_time_key(std::uint64_t time_ms, std::string_view key) {
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

}  // namespace quire::embedded
