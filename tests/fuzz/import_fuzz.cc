// Fuzzes an import with files of rows, plain or gzip.
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "model/document.h"
#include "model/validate.h"
#include "records/lines.h"
#include "service/importer.h"

namespace quire::fuzz {
namespace {

struct Taken {
  std::vector<Comment> comments;
  std::size_t lines = 0;
  std::size_t taken = 0;
  std::size_t left_out = 0;
  std::size_t others = 0;  // reports, and keys of customers
};

Taken import(const std::string& file) {
  Taken out;
  Importer importer(
      [&](std::vector<ImportRow> batch) {
        for (auto& row : batch) out.comments.push_back(std::move(row.comment));
        return Result<Imported>(Imported{.added = batch.size()});
      },
      3);
  auto lines = records::Lines::open(file);
  require(lines.ok(), "the file opens");
  while (lines->next()) {
    ++out.lines;
    require(lines->text().size() <= records::Lines::max_size, "a line has a maximum length");
    bool added = !lines->too_long() && !lines->text().empty() && importer.add(lines->text());
    if (!added) ++out.left_out;
    if (added && !std::holds_alternative<Row>(parse_row(lines->text()).value())) ++out.others;
  }
  require(lines->number() == out.lines, "lines are counted");
  require(importer.finish().ok(), "an import ends");
  out.taken = importer.rows();
  return out;
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire;
  using namespace quire::fuzz;
  static const int file = memfd_create("rows", MFD_CLOEXEC);
  static const std::string name = "/proc/self/fd/" + std::to_string(file);
  bool written =
      ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size);
  require(written, "the file is written");
  auto once = import(name);
  require(once.taken == once.comments.size(), "each accepted row is a comment");
  require(once.taken + once.others + once.left_out == once.lines,
          "each line is a comment, tells something else, or is left out");
  for (const auto& comment : once.comments) {
    require(check_product(comment.product).ok(), "a comment has a product");
    require(decode_document(encode_document(comment, Members::kept)) == comment,
            "a document holds its comment");
  }
  require(import(name).comments == once.comments,
          "a second import of a file gives the same comments");
  return 0;
}
