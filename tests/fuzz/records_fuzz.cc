// Fuzzes the reading of files that others made: CSV, JSON lines, arrays and XML, in any encoding.
#include <sys/mman.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "fuzz.h"
#include "records/reader.h"
#include "records/rejects_file.h"

namespace quire::fuzz {
namespace {

using namespace records;

// A file of memory, which a path names.
class MemoryFile {
 public:
  void write(std::string_view bytes) {
    bool written = ftruncate(file_, 0) == 0 && pwrite(file_, bytes.data(), bytes.size(), 0) ==
                                                   static_cast<ssize_t>(bytes.size());
    require(written, "the file is written");
  }
  const std::string& name() const { return name_; }

 private:
  int file_ = memfd_create("records", MFD_CLOEXEC);
  std::string name_ = "/proc/self/fd/" + std::to_string(file_);
};

MemoryFile& rejects_file() {
  static MemoryFile file;
  return file;
}

std::string text_of(const Record& record) {
  auto text = std::to_string(record.line) + boost::json::serialize(record.members);
  if (record.around)
    for (const auto& [name, members] : *record.around)
      text += name + boost::json::serialize(members);
  require(text.size() < 16 * max_row, "a record is bounded");
  return text;
}

struct Read {
  std::vector<std::string> rows;  // the message of an error last
  std::vector<boost::json::object> records;
};

Read read(const std::string& file, const Form& form, std::size_t piece, RejectsFile* rejects) {
  Read out;
  auto reader = Reader::open(file, form, piece);
  if (!reader) return {{reader.error().message}, {}};
  if (rejects) {
    auto opened = rejects->open(rejects_file().name(), (*reader)->kind(), (*reader)->columns(),
                                (*reader)->delimiter());
    require(opened.ok(), "the rejects file opens");
  }
  for (std::uint64_t line = 1;;) {
    auto row = (*reader)->next();
    if (!row) {
      out.rows.push_back(row.error().message);
      require(!(*reader)->next(), "an error is final");
      return out;
    }
    if (std::holds_alternative<End>(*row)) return out;
    auto* record = std::get_if<Record>(&*row);
    auto* bad = std::get_if<BadRow>(&*row);
    require((record ? record->line : bad->line) >= line, "rows come in the order of their lines");
    line = record ? record->line : bad->line;
    if (bad) require(!bad->reason.empty() && bad->text.size() <= max_row, "a bad row has a reason");
    out.rows.push_back(record ? text_of(*record) : bad->reason + bad->text);
    if (record) out.records.push_back(record->members);
    if (rejects && record) rejects->add(*record, "a \"reason\"");
    if (rejects && bad) rejects->add(*bad);
  }
}

// Whether all of `some` are among `all`, in their order.
bool has(const std::vector<boost::json::object>& all,
         const std::vector<boost::json::object>& some) {
  auto at = some.begin();
  for (const auto& each : all)
    if (at != some.end() && each == *at) ++at;
  return at == some.end();
}

}  // namespace
}  // namespace quire::fuzz

// In the first line: how many bytes come at once, and kind, encoding and rows as a mapping has
// them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  static MemoryFile file;
  auto bytes = text_of(data, size);
  auto piece = take_byte(bytes);
  auto kind = take_byte(bytes);
  Form form;
  if (kind >= '0' && kind <= '3') form.kind = static_cast<Kind>(kind - '0');
  form.encoding = take_until(bytes, " ");
  form.rows = take_until(bytes, "\n");
  file.write(bytes);
  RejectsFile rejects;
  auto whole = read(file.name(), form, 1 << 16, &rejects);
  auto cut = read(file.name(), form, piece, nullptr);
  require(whole.records == cut.records, "the records are the same wherever the bytes are cut");
  require(whole.rows.size() == cut.rows.size(), "so are the rows");
  require(rejects.close(), "the rejects file is written");
  if (form.kind != Kind::csv || whole.rows.empty()) return 0;
  auto again = read(rejects_file().name(), form, piece, nullptr);
  require(has(again.records, whole.records), "rejected rows of CSV are read again");
  return 0;
}
