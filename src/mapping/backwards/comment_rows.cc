#include "mapping/backwards/comment_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "mapping/comment_fields.h"
#include "model/document.h"
#include "model/moderation.h"

namespace quire {
namespace {

// With the parts of a time in the place of their letters.
std::string written(std::string text, std::uint64_t ms) {
  auto time = time_text(ms);  // 2024-11-20T12:01:00.123Z
  if (text.empty()) return time;
  constexpr struct {
    std::string_view letters;
    std::size_t at;
  } parts[] = {{"YYYY", 0}, {"MM", 5}, {"DD", 8}, {"HH", 11}, {"mm", 14}, {"ss", 17}};
  for (const auto& [letters, at] : parts)
    if (auto place = text.find(letters); place != text.npos)
      text.replace(place, letters.size(), time, at, letters.size());
  return text;
}

// The text as an HTML document has it.
std::string as_html(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

// The word that means this, or the text itself where words are not listed.
std::optional<std::string> word_of(const MappedField& field, std::string_view meaning) {
  for (const auto& [word, means] : field.values)
    if (means == meaning && word != "*") return word;
  auto others = field.values.find("*");
  bool free = field.values.empty() || (others != field.values.end() && others->second == meaning);
  if (free && !field.values.contains(meaning)) return std::string(meaning);
  return {};
}

// The text in which a mapping finds this value.
std::string in_pattern(const MappedField& field, const std::string& value) {
  for (auto pattern = field.patterns.rbegin(); pattern != field.patterns.rend(); ++pattern) {
    auto text = pattern->text_of(value);
    if (!text) continue;
    for (const auto& first : field.patterns) {
      auto found = first.value_in(*text);
      if (!found) continue;
      if (*found == value) return *text;
      break;
    }
  }
  return value;
}

std::string text_of(const AttributeValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::string out;
  for (const auto& tag : std::get<std::vector<std::string>>(value))
    out.append(out.empty() ? "" : ", ").append(tag);
  return out;
}

std::string addresses_of(const Media& media) {
  std::string out;
  for (const auto& picture : media) out.append(out.empty() ? "" : ", ").append(picture.url);
  return out;
}

Record record_of(const std::vector<std::string>& columns, const std::vector<std::string>& cells) {
  Record record;
  for (std::size_t i = 0; i < columns.size(); ++i) record.members[columns[i]] = cells[i];
  return record;
}

}  // namespace

Result<CommentRows> CommentRows::of(FileMapping mapping) {
  if (!mapping.written)
    return Error{ErrorCode::invalid_parameter,
                 "This mapping says only how such files are read. It needs [export] with the "
                 "columns of the file; judgeme, loox, okendo, shopify and woocommerce have it.",
                 "map"};
  CommentRows rows(std::move(mapping));
  const auto& fields = rows.mapping_;
  bool whole = rows.has_column(fields.product) && rows.has_column(fields.rating) &&
               rows.has_column(fields.created_at);
  if (!whole)
    return Error{ErrorCode::invalid_parameter,
                 "[export] of the mapping needs columns of product, rating and created_at.", "map"};
  return rows;
}

bool CommentRows::has_column(const std::optional<MappedField>& field) const {
  return field && std::any_of(field->columns.begin(), field->columns.end(), [&](const auto& each) {
           return std::find(columns().begin(), columns().end(), each) != columns().end();
         });
}

// Into the first of the field's columns that the file has.
void CommentRows::put(Cells& cells, const std::optional<MappedField>& field,
                      std::string text) const {
  if (!field || text.empty()) return;
  for (const auto& column : field->columns) {
    auto found = std::find(columns().begin(), columns().end(), column);
    if (found == columns().end()) continue;
    if (!field->patterns.empty()) text = in_pattern(*field, text);
    cells[static_cast<std::size_t>(found - columns().begin())] =
        field->html ? as_html(text) : std::move(text);
    return;
  }
}

// Into each of the field's columns: systems want one or the other.
void CommentRows::put_time(Cells& cells, const MappedField& field, std::uint64_t ms) const {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (std::find(field.columns.begin(), field.columns.end(), columns()[i]) != field.columns.end())
      cells[i] = written(mapping_.written->time, ms);
}

void CommentRows::put_attributes(Cells& cells, const Attributes& attributes) const {
  for (const auto& [name, type, field] : mapping_.attributes) {
    auto found = attributes.find(name);
    if (found != attributes.end()) put(cells, field, text_of(found->second));
  }
}

// Another reason stands for one that has no word.
std::optional<std::string> CommentRows::status_word(const Moderation& moderation) const {
  auto status = std::string(status_name(moderation.status));
  if (!has_column(mapping_.status))
    return moderation.status == CommentStatus::published ? std::optional<std::string>("")
                                                         : std::nullopt;
  const auto& field = *mapping_.status;
  if (moderation.status != CommentStatus::rejected) return word_of(field, status);
  for (const auto& reason : {moderation.reason, std::string("other")})
    if (auto word = word_of(field, status + ":" + reason)) return word;
  if (auto word = word_of(field, status)) return word;
  for (const auto& [word, means] : field.values)
    if (means.starts_with(status) && word != "*") return word;
  return {};
}

// A spreadsheet would take a cell that begins so for a formula.
void CommentRows::neutralize(Cells& cells) {
  for (auto& cell : cells) {
    if (cell.empty() || std::string_view("=+-@\t\r").find(cell.front()) == std::string_view::npos)
      continue;
    cell.insert(0, 1, '\'');
    lose("values that begin with =, +, - or @, which have a ' before them");
  }
}

std::optional<std::vector<std::string>> CommentRows::row_of(const Comment& comment) {
  auto status = status_word(comment.moderation);
  if (!status) {
    lose(fmt::format("comments that are {}", status_name(comment.moderation.status)));
    return {};
  }
  Cells cells(columns().size());
  auto source_id = comment.attributes.find(source_id_attribute);
  const auto* known = source_id == comment.attributes.end()
                          ? nullptr
                          : std::get_if<std::string>(&source_id->second);
  put(cells, mapping_.id, known ? *known : comment.id.text());
  put(cells, mapping_.product, comment.product);
  put(cells, mapping_.rating, std::to_string(comment.rating));
  put_time(cells, mapping_.created_at, comment.created_ms());
  put(cells, mapping_.language, comment.language == "und" ? "" : comment.language);
  put(cells, mapping_.author, comment.author);
  put(cells, mapping_.title, comment.title);
  put(cells, mapping_.text, comment.text);
  put(cells, mapping_.status, *status);
  put(cells, mapping_.pictures, addresses_of(comment.media));
  put_attributes(cells, comment.attributes);
  if (comment.reply) {
    put(cells, mapping_.reply.author, comment.reply->author);
    put(cells, mapping_.reply.text, comment.reply->text);
    if (mapping_.reply.created_at)
      put_time(cells, *mapping_.reply.created_at, comment.reply->created_ms);
  }
  neutralize(cells);
  compare(comment, cells);
  return cells;
}

// Reads the row again.
void CommentRows::compare(const Comment& comment, const Cells& cells) {
  auto record = record_of(columns(), cells);
  MappedRow row;
  Remarks remarks;
  auto reason = read_fields(mapping_, {}, record, row);
  if (reason.empty())
    reason = read_attributes(record, mapping_.attributes, row.attributes, remarks);
  if (!reason.empty()) return lose("comments that an import of the file rejects");
  read_pictures(mapping_, record, row, remarks);
  read_reply(mapping_, record, row, remarks);
  auto id = prose_in(record, mapping_.id);
  if (id.empty() || id_of(row.created_ms, hash_of(mapping_.source, id)) != comment.id) lose("ids");
  if (row.created_ms != comment.created_ms()) lose("parts of times");
  if (row.product != comment.product) lose("products");
  if (row.rating != comment.rating) lose("ratings");
  if ((row.language.empty() ? "und" : row.language) != comment.language) lose("languages");
  compare_texts(comment, row);
  compare_attributes(comment, row);
  compare_reply(comment, row);
  const auto& kept = comment.moderation;
  if (row.moderation.reason != kept.reason) lose("reasons of rejections");
  if (!kept.note.empty()) lose("notes of moderators");
  if (comment.customer) lose("customers");
}

void CommentRows::compare_texts(const Comment& comment, const MappedRow& row) {
  if (row.author != comment.author) lose("authors");
  if (row.title != comment.title) lose("titles");
  if (row.text != comment.text) lose("texts");
  std::vector<std::string> addresses;
  bool more = false;
  for (const auto& picture : comment.media) {
    addresses.push_back(picture.url);
    more |= picture.width > 0 || !picture.alt.empty();
  }
  if (row.pictures != addresses) lose("pictures");
  if (more) lose("sizes and descriptions of pictures");
}

void CommentRows::compare_attributes(const Comment& comment, const MappedRow& row) {
  for (const auto& [name, value] : comment.attributes) {
    if (name == source_id_attribute && has_column(mapping_.id)) continue;
    auto found = row.attributes.find(name);
    if (found == row.attributes.end() || found->second != value)
      lose(fmt::format("attributes {}", name));
  }
}

void CommentRows::compare_reply(const Comment& comment, const MappedRow& row) {
  if (!comment.reply) return;
  if (!row.reply || row.reply->text != comment.reply->text) return lose("replies");
  if (row.reply->author != comment.reply->author) lose("authors of replies");
  if (row.reply->created_ms != comment.reply->created_ms) lose("times of replies");
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string out;
  for (const auto& field : fields) {
    if (&field != fields.data()) out += ',';
    bool quoted = field.find_first_of("\",\r\n") != field.npos ||
                  (!field.empty() && (field.front() == ' ' || field.back() == ' '));
    if (!quoted) {
      out += field;
      continue;
    }
    out += '"';
    for (char c : field) out.append(c == '"' ? 2 : 1, c);
    out += '"';
  }
  return out + "\r\n";
}

}  // namespace quire
