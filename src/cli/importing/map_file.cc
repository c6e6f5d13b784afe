#include "cli/importing/map_file.h"

#include <fmt/core.h>

#include <filesystem>

#include "base/files.h"
#include "base/try.h"
#include "mapping/presets/presets.h"
#include "mapping/presets/proposal.h"
#include "records/reader.h"

namespace quire::cli {
namespace {

constexpr std::size_t max_map_bytes = 1 << 20;

Result<std::string> text_of(const std::string& map) {
  if (const auto* preset = find_preset(map)) return std::string(preset->text);
  if (std::filesystem::exists(map)) return read_whole("the mapping", map, max_map_bytes);
  return Error{
      ErrorCode::invalid_parameter,
      fmt::format("There is no mapping \"{}\", and no file of this name. quire import --map "
                  "list shows the mappings that ship; --map new proposes one for a file.",
                  map)};
}

Error no_table(const std::string& table, std::string_view why) {
  return {ErrorCode::invalid_parameter,
          fmt::format("The table of products {}: {} It is a CSV file of two columns with a header: "
                      "the id in the file, and your own.",
                      table, why)};
}

// Adds a row of the table, if it is whole.
bool add(const Record& record, const std::vector<std::string>& columns, Given& given) {
  const auto* theirs = record.members.if_contains(columns[0]);
  const auto* own = record.members.if_contains(columns[1]);
  bool whole = theirs && own && theirs->is_string() && own->is_string() &&
               !theirs->get_string().empty() && !own->get_string().empty();
  if (whole) given.products.emplace(theirs->get_string(), own->get_string());
  return whole;
}

Status read_table(const std::string& table, Given& given) {
  TRY(auto reader, records::Reader::open(table, {.kind = records::Kind::csv}));
  auto columns = reader->columns();
  if (columns.size() != 2)
    return no_table(table, fmt::format("it has {} columns.", columns.size()));
  for (;;) {
    auto row = reader->next();
    if (!row) return row.error();
    if (std::holds_alternative<records::End>(*row)) return Done{};
    const auto* bad = std::get_if<records::BadRow>(&*row);
    const auto* record = std::get_if<Record>(&*row);
    if (bad || !add(*record, columns, given)) {
      auto line = bad ? bad->line : record->line;
      return no_table(table, fmt::format("line {} is no such row.", line));
    }
  }
}

// The first records of the file. An error: it cannot be read.
Result<std::vector<Record>> sample_of(const std::string& file, const records::Form& form) {
  TRY(auto reader, records::Reader::open(file, form));
  std::vector<Record> sample;
  while (sample.size() < sample_records) {
    TRY(auto row, reader->next());
    if (std::holds_alternative<records::End>(row)) break;
    if (auto* record = std::get_if<Record>(&row)) sample.push_back(std::move(*record));
  }
  return sample;
}

}  // namespace

Result<FileMapping> read_map(const std::string& map, bool facts, Given& given) {
  TRY(auto text, text_of(map));
  auto mapping = parse_file_mapping(text, map);
  if (!mapping) return mapping;
  bool own = facts && mapping->facts && mapping->facts->product;
  const auto& name = own ? mapping->facts->product_table : mapping->product_table;
  if (name.empty()) return mapping;
  // Beside the mapping, wherever the command runs.
  auto table = std::filesystem::path(map).parent_path() / name;
  TRY_DONE(read_table(table.string(), given));
  return mapping;
}

Result<std::string> proposed_map(const std::string& file) {
  if (file == "-")
    return Error{ErrorCode::invalid_parameter, "--map new reads the file twice: name it."};
  records::Form form;
  auto rows = records::possible_rows(file, form);
  if (!rows) {
    // Bytes that are no UTF-8 are most often those of Excel and of older shops in the West.
    form.encoding = "windows-1252";
    auto other = records::possible_rows(file, form);
    if (!other) return rows.error();
    rows = std::move(other);
  }
  if (!rows->empty()) form.rows = rows->front();
  auto sample = sample_of(file, form);
  if (!sample && form.encoding.empty()) {
    form.encoding = "windows-1252";
    if (auto other = sample_of(file, form)) sample = std::move(other);
  }
  if (!sample) return sample.error();
  auto text = propose_file_mapping(*sample, form.rows);
  constexpr std::string_view heading = "[file]\n";
  auto at = text.find(heading);
  if (!form.encoding.empty() && at != text.npos)
    text.insert(at + heading.size(),
                "encoding = \"windows-1252\"  # the file is no UTF-8: compare accents and signs\n");
  return text;
}

void print_maps() {
  for (const auto& preset : presets()) fmt::print("{:<12} {}\n", preset.name, preset.sentence);
}

}  // namespace quire::cli
