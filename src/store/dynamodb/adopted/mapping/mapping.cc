#include "store/dynamodb/adopted/mapping/mapping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/hash.h"
#include "mapping/mapping_toml.h"
#include "toml/toml_reader.h"

namespace quire::adopted {
namespace {

constexpr Dialect dialect{"attribute", "quire table map", AttributeType::stored, ""};

constexpr std::string_view keep_pages = "keep a page index: --pages lmdb:DIR";

// Without a `key` of its own, it is that of the product.
std::optional<MappedIndex> index_in(TomlReader& reader, const toml::table& index,
                                    const toml::table& product) {
  reader.expect(index, "[[index]]", {"name", "key"});
  const auto* own = reader.table(
      index, "key", R"(key = { attribute = "GSI2PK", pattern = "{product}/{language}" })");
  if (own) reader.expect(*own, "key", {"attribute", "pattern"});
  const auto& key = own ? *own : product;
  auto attributes = texts_in(reader, key, "attribute"), patterns = texts_in(reader, key, "pattern");
  if (attributes.size() != 1 || patterns.size() > 1) {
    reader.refuse(
        index,
        "An index is asked by one attribute, its partition key, with one pattern at most. "
        "Write key = { attribute = \"NAME\", pattern = \"PRODUCT#{product}\" }.");
    return {};
  }
  auto pattern = KeyPattern::parse(patterns.empty() ? "{product}" : patterns.front());
  if (!pattern) {
    reader.refuse(key, pattern.error().message);
    return {};
  }
  return MappedIndex{reader.text(index, "name").value_or(""), attributes.front(),
                     std::move(*pattern)};
}

// A single index may be written [index].
void read_indexes(TomlReader& reader, const toml::table& file, Mapping& mapping) {
  const auto* node = file.get("index");
  if (!node) return;
  toml::array one;
  if (node->is_table()) one.push_back(*node->as_table());
  const auto* all = node->is_table() ? &one : node->as_array();
  const auto* product = file["comment"]["product"].as_table();
  if (!all || !all->is_homogeneous<toml::table>())
    return reader.refuse(*node, "Write [[index]] above each index.");
  for (const auto& each : *all) {
    auto index = product ? index_in(reader, *each.as_table(), *product) : std::nullopt;
    if (!index) continue;
    for (const auto& other : mapping.indexes)
      if (other.key.keyed() == index->key.keyed())
        reader.refuse(*node, "Two indexes have keys of the same facets. Leave one out.");
    mapping.indexes.push_back(std::move(*index));
  }
  bool whole = std::any_of(mapping.indexes.begin(), mapping.indexes.end(),
                           [](const auto& each) { return each.key.keyed() == FacetSet{}; });
  if (!whole && !mapping.indexes.empty())
    reader.refuse(*node,
                  "No index is by product alone, so nothing gives pages of all comments. Name "
                  "one, or leave [[index]] out.");
}

// The words of a field after which its value is no longer the item's own.
std::vector<std::string_view> changing_words(const MappedField& field) {
  std::vector<std::string_view> words;
  if (!field.values.empty()) words.push_back("values");
  if (field.replace) words.push_back("replace");
  if (field.max != "5") words.push_back("max");
  if (field.rounding != Rounding::refused) words.push_back("round");
  return words;
}

// A query makes a key of the value that the comment has.
void refuse_changed(TomlReader& reader, const toml::node& node, std::string_view name,
                    const std::vector<std::string_view>& words, std::string_view instead) {
  if (words.empty()) return;
  reader.refuse(node, fmt::format("{0} is part of the key of an [[index]], which is asked by the "
                                  "value that items have, so {0} cannot have {1} there. Leave {1} "
                                  "out, or {2}.",
                                  name, fmt::join(words, ", "), instead));
}

// Absent: keys cannot have such times.
std::optional<TimeForm> form_of(const MappedField& time) {
  return time.formats.empty() ? TimeForm() : time_form_of(time.formats.front());
}

void check_key_time(TomlReader& reader, const toml::table& comment, const Mapping& mapping) {
  const auto& time = mapping.created_at;
  std::vector<std::string_view> words;
  if (time.columns.size() != 1) words.push_back("several attributes");
  if (time.patterns.size() > 1) words.push_back("several patterns");
  if (time.fallback) words.push_back("default");
  if (time.zone) words.push_back("zone");
  if (time.formats.size() > 1) words.push_back("several formats");
  if (!form_of(time)) words.push_back("this format");
  if (words.empty()) return;
  reader.refuse(*comment.get("created_at"),
                fmt::format("An [[index]] is asked by its sort key, the time as items have it, so "
                            "created_at has one attribute and a format that sorts: iso8601, "
                            "epoch_s, epoch_ms, or an example such as \"2021-08-25 13:00\". It "
                            "cannot have {0} there. Leave {0} out, or leave [[index]] out and {1}.",
                            fmt::join(words, ", "), keep_pages));
}

// What the keys of indexes are made of, queries can make.
void check_keys(TomlReader& reader, const toml::table& comment, const Mapping& mapping) {
  if (mapping.indexes.empty()) return;
  check_key_time(reader, comment, mapping);
  auto without_index = fmt::format("leave [[index]] out and {}", keep_pages);
  auto words = changing_words(*mapping.product);
  if (mapping.product->fallback) words.push_back("default");
  refuse_changed(reader, *comment.get("product"), "product", words, without_index);
  auto keyed = [&](std::size_t facet) {
    return std::any_of(mapping.indexes.begin(), mapping.indexes.end(),
                       [&](const auto& index) { return index.key.keyed()[facet]; });
  };
  if (keyed(rating_facet))
    refuse_changed(reader, *comment.get("rating"), "rating", changing_words(mapping.rating),
                   "leave the index with {rating} out");
  if (keyed(language_facet) && mapping.language)
    refuse_changed(reader, *comment.get("language"), "language", changing_words(*mapping.language),
                   "leave the index with {language} out");
}

void check_id(TomlReader& reader, const toml::table& file, const Mapping& mapping) {
  if (!mapping.id) return;
  const auto& id = *mapping.id;
  bool asked = id.columns.size() == 1 && id.patterns.size() <= 1 && id.values.empty() &&
               !id.replace && !id.fallback;
  if (!asked)
    reader.refuse(*file["comment"]["id"].node(),
                  "A comment is asked for by its id as a key has it, so id is one attribute, with "
                  "one pattern at most, and without values, replace and default.");
  if (const auto* own = file["attributes"][id_attribute].node())
    reader.refuse(
        *own, fmt::format("Quire keeps the name {} for itself. Write another name.", id_attribute));
}

// What serves an import alone.
void check_sections(TomlReader& reader, const toml::table& file, const toml::table& comment,
                    Mapping& mapping) {
  if (!mapping.product) {
    if (!comment.contains("product"))
      reader.refuse(comment, R"([comment] needs product. Write product = { attribute = "NAME" }.)");
    mapping.product.emplace();
  }
  if (mapping.customer)
    reader.refuse(*comment.get("customer"),
                  "customer is of quire import: a table that is read in place has no customers. "
                  "Leave it out.");
  if (!mapping.product_table.empty())
    reader.refuse(*comment.get("product"),
                  "table is of quire import: pages of a table that is read in place have its own "
                  "ids of products. Leave it out.");
  if (!mapping.reply.of.empty())
    reader.refuse(*file["reply"]["of"].node(),
                  "of is of quire import: items are read one by one, so a reply in an item of its "
                  "own finds no comment. Write the attributes of the comment's item that have the "
                  "reply, or leave [reply] out.");
}

Mapping read_file(TomlReader& reader, const toml::table& file) {
  Mapping mapping;
  reader.expect(file, "The file", {"comment", "reply", "attributes", "index"});
  read_comment_mapping(reader, dialect, file, mapping);
  const auto* comment = file["comment"].as_table();
  if (!comment) return mapping;
  check_sections(reader, file, *comment, mapping);
  check_id(reader, file, mapping);
  read_indexes(reader, file, mapping);
  if (reader.faults().empty()) check_keys(reader, *comment, mapping);
  mapping.time = form_of(mapping.created_at).value_or(TimeForm());
  mapping.paths = paths_of(mapping);
  return mapping;
}

}  // namespace

const Pattern& pattern_of(const MappedField& field) {
  static const Pattern whole;
  return field.patterns.empty() ? whole : field.patterns.front();
}

std::optional<std::string> product_text(const Mapping& mapping, std::string_view product) {
  const auto& field = *mapping.product;
  bool one = field.columns.size() == 1 && field.patterns.size() <= 1;
  return one ? pattern_of(field).text_of(product) : std::nullopt;
}

Result<Mapping> parse_mapping(std::string_view toml, std::string_view name) {
  TomlReader reader{std::string(name)};
  Mapping mapping;
  if (auto file = reader.parse(toml)) mapping = read_file(reader, *file);
  auto faults = reader.faults();
  if (!faults.empty())
    return Error{ErrorCode::invalid_parameter, fmt::format("{}", fmt::join(faults, "\n")), "store"};
  mapping.fingerprint = sha256_hex(toml).substr(0, 16);
  return mapping;
}

}  // namespace quire::adopted
