#include <fmt/core.h>

#include <functional>
#include <memory>
#include <optional>

#include "base/try.h"
#include "cli/importing/copy.h"
#include "cli/importing/rows.h"
#include "cli/terminal/terminal.h"
#include "mapping/conversion.h"
#include "mapping/facts_conversion.h"
#include "mapping/needed_columns.h"
#include "records/reader.h"

namespace quire::cli {
namespace {

records::Form form_of(const FileMapping& mapping) {
  records::Form form{.rows = mapping.rows, .encoding = mapping.encoding};
  if (mapping.format == "csv") form.kind = records::Kind::csv;
  if (mapping.format == "json") form.kind = records::Kind::json;
  if (mapping.format == "xml") form.kind = records::Kind::xml;
  if (mapping.delimiter) form.delimiter = *mapping.delimiter;
  return form;
}

// Gives each record of a file to `take`, until that returns false.
Status each_record(records::Reader& reader, const std::string& what,
                   const std::function<bool(const Record&)>& take,
                   const std::function<void(const records::BadRow&)>& refuse) {
  Progress progress(what);
  for (std::uint64_t rows = 0;; progress.show(reader.part(), ++rows)) {
    TRY(auto next, reader.next());
    if (std::holds_alternative<records::End>(next)) return Done{};
    if (const auto* bad = std::get_if<records::BadRow>(&next)) {
      refuse(*bad);
    } else if (!take(std::get<Record>(next))) {
      return Done{};
    }
  }
}

std::unique_ptr<Converter> converter_of(const MappedFiles& files) {
  if (files.facts) return std::make_unique<FactsConversion>(files.mapping, files.given);
  return std::make_unique<Conversion>(files.mapping, files.given);
}

// Finds what refuses a file as a whole. An error of its calls does.
class Looking {
 public:
  Looking(const std::string& file, const MappedFiles& files, Converter& converter)
      : file_(file), converter_(converter), needed_(files.mapping, files.given, files.facts) {}

  Status begin(const records::Reader& reader) {
    if (reader.kind() == records::Kind::csv) needed_.look_at_header(reader.columns());
    return end();
  }
  // Whether all that is left to find is what the converter looks at.
  bool has_columns() const { return needed_.complete(); }
  Status look(const Record& record) {
    needed_.look(record);
    converter_.look(record);
    return converter_.looked();
  }
  Status end() const {
    auto found = needed_.found();
    if (found) return found;
    auto error = found.error();
    error.message.insert(0, (file_ == "-" ? "standard input" : file_) + ": ");
    return error;
  }

 private:
  const std::string& file_;
  Converter& converter_;
  NeededColumns needed_;
};

// `path`: of the file, or of its copy.
Status look_through(const std::string& path, const std::string& file, const FileMapping& mapping,
                    const Converter& converter, Looking& looking) {
  TRY(auto reader, records::Reader::open(path, form_of(mapping)));
  if (auto begun = looking.begin(*reader); !begun) return begun;
  Status stopped = Done{};
  bool narrow = false;
  auto read = each_record(
      *reader, "looking through " + file,
      [&](const Record& record) {
        stopped = looking.look(record);
        if (!narrow && looking.has_columns()) {
          reader->keep_only(converter.looked_at());
          narrow = true;
        }
        return stopped.ok();
      },
      [](const records::BadRow&) {});
  if (!read) return read;
  return stopped ? looking.end() : stopped;
}

}  // namespace

Status give_mapped_rows(const std::string& file, const MappedFiles& files, Target& target,
                        Rejects& rejects, Remarks& remarks) {
  const auto& mapping = files.mapping;
  auto conversion = converter_of(files);
  Looking looking(file, files, *conversion);
  bool once = !stays(file);
  std::optional<Copy> copy;
  if (once && !mapping.reply.of.empty() && !files.facts) {
    TRY(auto made, Copy::of(file));
    copy.emplace(std::move(made));
    once = false;
  }
  auto path = copy ? copy->path() : file;
  if (!once) {
    if (auto looked = look_through(path, file, mapping, *conversion, looking); !looked)
      return looked;
  }
  TRY(auto opened, records::Reader::open(path, form_of(mapping)));
  auto& reader = *opened;
  if (auto begun = once ? looking.begin(reader) : Status{Done{}}; !begun) return begun;
  auto form = rejects.open(reader.kind(), reader.columns(), reader.delimiter());
  if (!form) return form;

  Status stopped = Done{};
  auto take = [&](const Record& record) {
    if (once) stopped = looking.look(record);
    if (!stopped) return false;
    Origin origin{.file = file, .line = record.line, .row = &record};
    auto outcome = conversion->convert(record);
    if (auto* row = std::get_if<ConvertedRow>(&outcome)) target.add(row->json, origin);
    if (auto* passed = std::get_if<PassedOver>(&outcome)) ++remarks[passed->why];
    if (auto* no = std::get_if<Rejected>(&outcome)) rejects.add(origin, no->reason);
    return !target.failed();
  };
  auto refuse = [&](const records::BadRow& bad) {
    rejects.add({.file = file, .line = bad.line, .row = &bad}, bad.reason);
  };
  auto read = each_record(reader, "importing " + file, take, refuse);
  for (const auto& [what, count] : conversion->remarks()) remarks[what] += count;
  if (!read || !stopped) return read ? stopped : read;
  return once ? looking.end() : Status{Done{}};
}

}  // namespace quire::cli
