#include "records/csv.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <new>
#include <set>
#include <utility>

namespace quire::records {
namespace {

constexpr std::size_t max_columns = 10'000;
constexpr unsigned char options = CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL;
constexpr std::string_view line_ends = "\r\n";
constexpr std::string_view separator_name = "sep=";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n\v\f";
  auto begin = text.find_first_not_of(blank);
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

bool names_separator(std::string_view text) {
  return text.size() >= separator_name.size() &&
         std::equal(separator_name.begin(), separator_name.end(), text.begin(),
                    [](char a, unsigned char b) { return a == std::tolower(b); });
}

// Behind the line that begins at `at`: npos if it does not end in the text, or ends with a CR that
// an LF may follow.
std::size_t behind_line(std::string_view text, std::size_t at, bool whole) {
  auto is_end = [](char c) { return c == '\n' || c == '\r'; };
  auto found = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_end);
  auto end = static_cast<std::size_t>(found - text.begin());
  if (end == text.size()) return whole ? end : text.npos;
  if (text[end] == '\n') return end + 1;
  if (end + 1 == text.size()) return whole ? end + 1 : text.npos;
  return text[end + 1] == '\n' ? end + 2 : end + 1;
}

// The names of columns, each another.
std::vector<std::string> names_of(const std::vector<std::string>& header) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const auto& field : header) {
    std::string name(trimmed(field));
    if (name.empty()) name = fmt::format("column {}", names.size() + 1);
    auto first = name;
    for (int i = 2; !known.insert(name).second; ++i) name = fmt::format("{} {}", first, i);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

char delimiter_of(std::string_view head) {
  constexpr std::string_view delimiters = ",;\t|";
  head.remove_prefix(std::min(head.find_first_not_of(line_ends), head.size()));
  auto line = head.substr(0, head.find_first_of(line_ends));
  if (line.size() == separator_name.size() + 1 && names_separator(line)) {
    char c = line.back();
    if (c == '\t' || (c != '"' && std::ispunct(static_cast<unsigned char>(c)))) return c;
  }
  std::array<std::size_t, delimiters.size()> counts{};
  bool quoted = false;
  for (char c : head) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (line_ends.find(c) != line_ends.npos) break;
    if (auto at = delimiters.find(c); at != delimiters.npos) ++counts[at];
  }
  auto most = std::max_element(counts.begin(), counts.end());
  return delimiters[static_cast<std::size_t>(most - counts.begin())];
}

Csv::Csv(Text& text, char delimiter) : text_(text), delimiter_(delimiter) {
  begin_parser();
}

Csv::~Csv() {
  csv_free(&parser_);
}

void Csv::begin_parser() {
  csv_free(&parser_);
  if (csv_init(&parser_, options) != 0) throw std::bad_alloc();
  csv_set_delim(&parser_, static_cast<unsigned char>(delimiter_));
}

void Csv::take_field(void* field, std::size_t size, void* self) {
  auto& csv = *static_cast<Csv*>(self);
  auto wanted = csv.names_.empty() ? max_columns : csv.names_.size();
  if (size > 0) csv.blank_ = false;
  if (csv.count_++ >= wanted) return;
  if (csv.fields_.size() < csv.count_) csv.fields_.emplace_back();
  csv.fields_[csv.count_ - 1].assign(static_cast<const char*>(field), size);
}

void Csv::take_row(int, void* self) {
  static_cast<Csv*>(self)->row_ended_ = true;
}

// False: the text ends.
bool Csv::more() {
  input_.erase(0, begin_);
  scanned_ -= std::exchange(begin_, 0);
  auto piece = text_.next();
  input_ += piece;
  text_ended_ = piece.empty();
  return !text_ended_;
}

// Reads a row line by line, so that its text and lines are known.
Csv::Outcome Csv::read() {
  count_ = 0;
  lines_ = 0;
  row_ended_ = false;
  blank_ = true;
  while (!row_ended_) {
    auto end = behind_line(input_, scanned_, text_ended_);
    bool in_part = end == input_.npos;
    if (in_part) {  // a CR waits for what follows
      end = input_.size();
      if (end > scanned_ && input_.back() == '\r') --end;
    }
    if (auto outcome = parse(end - scanned_); outcome != Outcome::row) return outcome;
    if (scanned_ - begin_ > max_row + line_ends.size()) return Outcome::too_long;
    if (!in_part && scanned_ > begin_) ++lines_;
    if (!row_ended_ && scanned_ == input_.size() && text_ended_) return finish();
    if (in_part && !text_ended_) more();
  }
  return Outcome::row;
}

Csv::Outcome Csv::parse(std::size_t size) {
  while (size > 0) {
    auto taken =
        csv_parse(&parser_, input_.data() + scanned_, size, &Csv::take_field, &Csv::take_row, this);
    scanned_ += taken;
    size -= taken;
    if (size == 0) break;
    if (csv_error(&parser_) != CSV_EPARSE) throw std::bad_alloc();
    if (parser_.quoted) return Outcome::stray_quote;
    csv_set_opts(&parser_, options & ~CSV_STRICT);
    csv_parse(&parser_, input_.data() + scanned_, 1, &Csv::take_field, &Csv::take_row, this);
    csv_set_opts(&parser_, options);
    ++scanned_;
    --size;
  }
  return Outcome::row;
}

// The last row has no line end.
Csv::Outcome Csv::finish() {
  if (begin_ == scanned_ || !text_.failed().empty()) return Outcome::end;
  if (csv_fini(&parser_, &Csv::take_field, &Csv::take_row, this) != 0) return Outcome::open_quote;
  return row_ended_ ? Outcome::row : Outcome::end;
}

void Csv::pass_row() {
  begin_ = scanned_;
  line_ += lines_;
}

// Moves behind the line in which the row begins.
BadRow Csv::pass_line(std::string reason) {
  std::size_t end;
  while ((end = behind_line(input_, begin_, text_ended_)) == input_.npos &&
         input_.size() - begin_ <= max_row)
    more();
  auto line = std::string_view(input_).substr(begin_, std::min(end - begin_, max_row));
  line = line.substr(0, line.find_first_of(line_ends));
  BadRow bad{line_, std::move(reason), std::string(line)};
  while (end == input_.npos) {  // the rest of a long line is not kept
    begin_ = scanned_ = input_.size() - (input_.back() == '\r');
    more();
    end = behind_line(input_, begin_, text_ended_);
  }
  begin_ = scanned_ = end;
  ++line_;
  begin_parser();
  return bad;
}

bool Csv::is_separator_line() const {
  if (count_ == 0 || !names_separator(fields_[0])) return false;
  auto size = fields_[0].size() - separator_name.size();
  return (count_ == 1 && size <= 1) || (count_ == 2 && size == 0 && fields_[1].empty());
}

Status Csv::take_header() {
  for (bool first = true;; first = first && blank_) {
    auto outcome = read();
    if (outcome == Outcome::end)
      return fault(0, "It has no header: the first row of CSV names the columns.");
    if (outcome == Outcome::too_long) return fault(line_, "The header has over 1 MiB.");
    if (outcome != Outcome::row)
      return fault(line_, "The header has a quote that does not end, or that stands in a field.");
    if (!blank_ && !(first && is_separator_line())) break;
    pass_row();
  }
  if (count_ > max_columns)
    return fault(line_, fmt::format("The header names over {} columns.", max_columns));
  fields_.resize(count_);
  names_ = names_of(fields_);
  for (auto& name : names_) {
    if (name == reason_name)
      name.clear();
    else
      columns_.push_back(name);
  }
  pass_row();
  return Done{};
}

Result<Row> Csv::next() {
  for (;; pass_row()) {
    switch (read()) {
      case Outcome::end:
        return Row(End{});
      case Outcome::too_long:
        return Row(pass_line("The row has over 1 MiB, as if a quote did not end."));
      case Outcome::stray_quote:
        return Row(pass_line("A quote stands within a field in quotes, where two should."));
      case Outcome::open_quote:
        return Row(pass_line("A quote does not end."));
      case Outcome::row:
        if (blank_) continue;
    }
    Row row = count_ == names_.size() ? Row(record()) : Row(other_width());
    pass_row();
    return row;
  }
}

BadRow Csv::other_width() const {
  auto text = std::string_view(input_).substr(begin_, scanned_ - begin_);
  text = text.substr(0, text.find_last_not_of(line_ends) + 1);
  return {line_,
          fmt::format("The row has another number of fields than the header: {} instead of {}.",
                      count_, names_.size()),
          std::string(text)};
}

Record Csv::record() const {
  Record record{.line = line_};
  record.members.reserve(columns_.size());
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (!names_[i].empty()) record.members.emplace(names_[i], fields_[i]);
  return record;
}

}  // namespace quire::records
