#include "mapping/file_mapping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/mapping_toml.h"
#include "product/facts.h"

namespace quire {
namespace {

constexpr Dialect dialect{"column", "quire import FILE --map new", AttributeType::by_value,
                          source_id_attribute};

void read_delimiter(TomlReader& reader, const toml::table& section, FileMapping& mapping) {
  auto text = reader.text(section, "delimiter");
  if (!text) return;
  if (*text == "tab") text = "\t";
  if (text->size() == 1)
    mapping.delimiter = text->front();
  else
    reader.refuse(*section.get("delimiter"),
                  R"(delimiter is one character, such as ";", or "tab".)");
}

void read_file_section(TomlReader& reader, const toml::table& file, FileMapping& mapping) {
  const auto* section = reader.table(file, "file", "[file]");
  if (!section) return;
  reader.expect(*section, "[file]", {"source", "rows", "format", "encoding", "delimiter", "zone"});
  mapping.source = reader.text(*section, "source").value_or("");
  mapping.rows = reader.text(*section, "rows").value_or("");
  mapping.encoding = reader.text(*section, "encoding").value_or("");
  mapping.format = reader.text(*section, "format").value_or("");
  bool known = mapping.format.empty() || mapping.format == "csv" || mapping.format == "json" ||
               mapping.format == "xml";
  if (!known) reader.refuse(*section->get("format"), "format is csv, json or xml.");
  read_delimiter(reader, *section, mapping);
  mapping.zone = zone_in(reader, *section).value_or(Zone());
}

void read_facts_section(FieldReader& fields, const toml::table& file, FileMapping& mapping) {
  auto& reader = fields.toml();
  const auto* section = reader.table(file, "facts", "[facts]");
  if (!section) return;
  std::set<std::string_view> names = {"product", "when"};
  names.insert(std::begin(fact_names), std::end(fact_names));
  reader.expect(*section, "[facts]", names);
  auto& facts = mapping.facts.emplace();
  facts.product = fields.optional_field(*section, "product", FieldKind::text, {"table"});
  facts.product_table = product_table_in(reader, *section).value_or("");
  for (auto name : fact_names)
    if (auto field = fields.optional_field(*section, name, FieldKind::prose))
      facts.told.emplace_back(name, std::move(*field));
  if (section->contains("when")) facts.when = fields.conditions(*section);
  if (!section->contains("name"))
    reader.refuse(*section, fmt::format("[facts] needs name. Write {}.", fields.form_of("name")));
}

void read_export_section(TomlReader& reader, const toml::table& file, FileMapping& mapping) {
  const auto* section = reader.table(file, "export", "[export]");
  if (!section) return;
  reader.expect(*section, "[export]", {"columns", "time"});
  auto& written = mapping.written.emplace();
  written.columns = texts_in(reader, *section, "columns");
  written.time = reader.text(*section, "time").value_or("");
  if (!section->contains("columns"))
    reader.refuse(*section, R"([export] needs columns = ["NAME", …], in the order of the file.)");
}

}  // namespace

Result<FileMapping> parse_file_mapping(std::string_view toml, std::string_view name) {
  TomlReader reader{std::string(name)};
  FileMapping mapping;
  if (auto file = reader.parse(toml)) {
    read_file_section(reader, *file, mapping);
    FieldReader fields(reader, dialect);
    read_facts_section(fields, *file, mapping);
    read_export_section(reader, *file, mapping);
    // A mapping may have facts alone.
    bool alone = !file->contains("comment") && mapping.facts && mapping.facts->product;
    mapping.has_comments = !alone;
    std::set<std::string_view> sections = {"file", "facts"};
    if (!alone) sections.insert({"comment", "reply", "attributes", "export"});
    reader.expect(*file, alone ? "A file without [comment]" : "The file", sections);
    if (!alone) read_comment_mapping(reader, dialect, *file, mapping);
  }
  auto faults = reader.faults();
  if (!faults.empty())
    return Error{ErrorCode::invalid_parameter, fmt::format("{}", fmt::join(faults, "\n")), "map"};
  return mapping;
}

}  // namespace quire
