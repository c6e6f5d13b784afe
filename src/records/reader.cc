#include "records/reader.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/try.h"
#include "records/container.h"
#include "records/csv.h"
#include "records/json.h"
#include "records/json_form.h"
#include "records/kind.h"
#include "records/xml.h"

namespace quire::records {
namespace {

struct Opened {
  Kind kind;
  std::unique_ptr<Container> container;
};

// A file that has nothing, but for a fault of its text.
class Nothing final : public Container {
 public:
  explicit Nothing(Text& text) : text_(text) {}
  Result<Row> next() override {
    while (!text_.next().empty()) {
    }
    return Row(End{});
  }

 private:
  Text& text_;
};

Error in_file(const std::string& file, Error error) {
  error.message = (file == "-" ? "standard input" : file) + ":" + error.message;
  return error;
}

Result<Opened> open_csv(Text& text, const Form& form) {
  auto delimiter = form.delimiter ? form.delimiter : delimiter_of(text.head(first_look));
  auto csv = std::make_unique<Csv>(text, delimiter);
  TRY_DONE(csv->take_header());
  return Opened{Kind::csv, std::move(csv)};
}

Result<Opened> open_json(Text& text, const Form& form) {
  TRY(auto found, json_form(text, form));
  if (found.lines) return Opened{Kind::json_lines, std::make_unique<JsonLines>(text)};
  return Opened{Kind::json, std::make_unique<JsonElements>(text, found.rows)};
}

Result<Opened> open_xml(Text& text, const Form& form) {
  auto names = xml_rows(text.head(first_look));
  if (form.rows.empty()) {
    auto sentence = fmt::format(
        "The file is XML. Name the element of a row in the mapping: [file] rows = \"{}\".",
        names.empty() ? "review" : names.front());
    if (!names.empty())
      sentence += fmt::format(" Elements that come several times: {}.", fmt::join(names, ", "));
    return fault(0, sentence);
  }
  return Opened{Kind::xml, std::make_unique<Xml>(text, form.rows, std::move(names))};
}

// The kind that the form or the file tells. Absent: there is no text.
Result<std::optional<Kind>> kind_in(Text& text, const Form& form) {
  TRY_DONE(check_bytes(text.first_bytes()));
  if (begins_with_reject(text)) return std::optional(Kind::json);
  auto told = kind_of(text.head(first_look));
  if (form.kind && (!told || *told)) return form.kind;
  return told;
}

Result<Opened> open_container(Text& text, const Form& form) {
  TRY(auto kind, kind_in(text, form));
  if (!kind && form.kind != Kind::csv) {
    return Opened{form.kind.value_or(Kind::json_lines), std::make_unique<Nothing>(text)};
  }
  switch (kind.value_or(Kind::csv)) {
    case Kind::csv:
      return open_csv(text, form);
    case Kind::xml:
      return open_xml(text, form);
    default:
      return open_json(text, form);
  }
}

// Absent: the text is not at fault.
Status check_text(const Text& text) {
  if (text.failed().empty()) return Done{};
  auto why = text.failed();
  if (text.wrong_encoding())
    return Error{ErrorCode::invalid_parameter,
                 " " + why +
                     ". Tell the file's encoding in the mapping, such as [file] encoding = "
                     "\"windows-1252\"."};
  return Error{ErrorCode::unavailable, " The file is damaged: " + why + "."};
}

Result<Text> text_of(const std::string& file, const Form& form, std::size_t piece) {
  if (!form.encoding.empty() && !Text::knows(form.encoding))
    return Error{ErrorCode::invalid_parameter,
                 fmt::format("There is no encoding \"{}\". Write a name of IANA's in [file] "
                             "encoding, such as \"windows-1252\", \"ISO-8859-15\" or "
                             "\"Shift_JIS\".",
                             form.encoding)};
  TRY(auto bytes, Bytes::open(file, piece));
  return Text(std::move(bytes), form.encoding, Invalid::refused);
}

}  // namespace

Reader::Reader() = default;
Reader::~Reader() = default;

Result<std::unique_ptr<Reader>> Reader::open(const std::string& file, const Form& form,
                                             std::size_t piece) {
  TRY(auto text, text_of(file, form, piece));
  std::unique_ptr<Reader> reader(new Reader);
  reader->file_ = file;
  reader->text_ = std::make_unique<Text>(std::move(text));
  auto opened = open_container(*reader->text_, form);
  if (auto whole = check_text(*reader->text_); !whole) return in_file(file, whole.error());
  if (!opened) return in_file(file, opened.error());
  reader->kind_ = opened->kind;
  reader->container_ = std::move(opened->container);
  return reader;
}

Result<Row> Reader::next() {
  if (failed_) return *failed_;
  auto row = container_->next();
  if (!row) failed_ = in_file(file_, row.error());
  if (row && std::holds_alternative<End>(*row))
    if (auto whole = check_text(*text_); !whole) failed_ = in_file(file_, whole.error());
  if (failed_) return *failed_;
  return row;
}

void Reader::keep_only(std::set<std::string, std::less<>> names) {
  container_->keep_only(std::move(names));
}

const std::vector<std::string>& Reader::columns() const {
  return container_->columns();
}

char Reader::delimiter() const {
  return container_->delimiter();
}

double Reader::part() const {
  return text_->part();
}

Result<std::vector<std::string>> possible_rows(const std::string& file, const Form& form) {
  TRY(auto text, text_of(file, form, first_look));
  std::vector<std::string> none;
  auto kind = kind_in(text, form);
  if (!kind) return in_file(file, kind.error());
  if (*kind == Kind::xml) return xml_rows(text.head(first_look));
  if (*kind != Kind::json) return none;
  if (auto told = json_form(text, Form{}); told) return none;
  return json_arrays(text.head(first_look));
}

}  // namespace quire::records
