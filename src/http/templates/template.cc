#include "http/templates/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "http/assets.h"

namespace quire::http {

Templates::Templates(const texts::Texts& texts) {
  for (std::string_view each : {"comments.tpl", "products.tpl", "problem.tpl", "feed.tpl",
                                "moderation.tpl", "review.tpl", "invitation.tpl", "report.tpl"})
    all_.emplace(each, Template::read(each, asset, &texts));
}

std::string Templates::fill(std::string_view name, const Values& values, std::string spare) const {
  return all_.at(name).fill(values, std::move(spare));
}

namespace {

constexpr int max_depth = 8;

// A marker, from its first brace to behind its last, with the blank line around it that it takes
// along if nothing else is on the line.
struct Span {
  std::size_t begin, end;
};

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == text.npos;
}

// `begin` and `end`: of the marker.
Span with_line(std::string_view text, std::size_t begin, std::size_t end) {
  auto line = text.rfind('\n', begin) + 1;  // npos + 1 is the text's beginning
  auto line_end = std::min(text.find('\n', end), text.size());
  bool alone =
      is_blank(text.substr(line, begin - line)) && is_blank(text.substr(end, line_end - end));
  if (!alone) return {begin, end};
  return {line, std::min(line_end + 1, text.size())};
}

void check_name(std::string_view name) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  if (!name.empty() && name.find_first_not_of(letters) == name.npos) return;
  throw std::invalid_argument(fmt::format("\"{}\" is no name: write capital letters", name));
}

}  // namespace

Template TemplateReader::read(std::string_view name) {
  read_file(name);
  Template out;
  out.steps_ = std::move(steps_);
  return out;
}

// A section ends in the file in which it begins.
void TemplateReader::read_file(std::string_view name) {
  auto text = files_(name);
  auto outer = std::exchange(open_, {});
  std::size_t at = 0;
  try {
    if (++depth_ > max_depth) throw std::invalid_argument("the files include each other");
    for (;;) {
      auto begin = text.find("{{", at);
      if (begin == text.npos) break;
      auto end = text.find("}}", begin);
      if (end == text.npos) throw std::invalid_argument("}} is missing");
      auto marker = text.substr(begin + 2, end - begin - 2);
      bool is_value = !marker.empty() && std::string_view("#/>!").find(marker[0]) == marker.npos;
      auto place = is_value ? Span{begin, end + 2} : with_line(text, begin, end + 2);
      place.begin = std::max(place.begin, at);
      add_text(text.substr(at, place.begin - at));
      at = begin;
      add_marker(marker);
      at = place.end;
    }
    add_text(text.substr(at));
    at = text.size();
    if (!open_.empty())
      throw std::invalid_argument(fmt::format("{} is not closed", open_.back().name));
    if (--depth_ == 0 && !context_.complete()) throw std::invalid_argument("it ends amid a tag");
  } catch (const std::invalid_argument& error) {
    auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw std::invalid_argument(fmt::format("{}:{}: {}", name, line, error.what()));
  }
  open_ = std::move(outer);
}

void TemplateReader::add_marker(std::string_view marker) {
  auto kind = marker.empty() ? ' ' : marker[0];
  if (kind == '!') return;
  if (kind == '>') return read_file(marker.substr(1));
  if (kind == '#') return open_section(marker.substr(1));
  if (kind == '/') return close_section(marker.substr(1));
  if (kind == ':') return add_words(marker.substr(1));
  add_value(marker);
}

void TemplateReader::add_value(std::string_view name) {
  check_name(name);
  steps_.push_back({.kind = Step::Kind::value, .name = Name(name), .escape = context_.value()});
}

// A text of the page's language. A value between tags may be in another language, and run in
// another direction.
void TemplateReader::add_words(std::string_view name) {
  const auto* text = texts_ ? texts_->find(name) : nullptr;
  if (!text) throw std::invalid_argument(fmt::format("there is no text {}", name));
  if (Context(context_).value() != Escape::text)
    throw std::invalid_argument(fmt::format("the text {} would be an address or a script", name));
  bool between_tags = context_.complete();
  for (std::string_view rest = *text; !rest.empty();) {
    auto open = std::min(rest.find('{'), rest.size());
    Output escaped;
    append_escaped(escaped, rest.substr(0, open), Escape::text);
    add_text(std::move(escaped).take());
    rest.remove_prefix(open);
    if (rest.empty()) return;
    auto close = std::min(rest.find('}'), rest.size() - 1);
    if (between_tags) add_text("<bdi>");
    add_value(rest.substr(1, close - 1));
    if (between_tags) add_text("</bdi>");
    rest.remove_prefix(close + 1);
  }
}

void TemplateReader::add_text(std::string_view text) {
  if (text.empty()) return;
  context_.read(text);
  bool goes_on = steps_.size() > text_from_ && steps_.back().kind == Step::Kind::text;
  if (!goes_on) steps_.push_back({.kind = Step::Kind::text});
  steps_.back().text += text;
}

void TemplateReader::open_section(std::string_view name) {
  check_name(name);
  context_.end_name();
  open_.push_back({steps_.size(), name, context_});
  steps_.push_back({.kind = Step::Kind::section, .name = Name(name)});
}

void TemplateReader::close_section(std::string_view name) {
  if (open_.empty() || open_.back().name != name)
    throw std::invalid_argument(fmt::format("{} is closed, but was not opened last", name));
  context_.end_name();
  if (context_ != open_.back().before)
    throw std::invalid_argument(
        fmt::format("{} ends within another tag or place than it begins in", name));
  steps_[open_.back().step].end = text_from_ = steps_.size();
  open_.pop_back();
}

Template Template::read(std::string_view name, const Files& files, const texts::Texts* texts) {
  return TemplateReader(files, texts).read(name);
}

std::string Template::fill(const Values& values, std::string spare) const {
  Output out(std::move(spare));
  fill(out, values, 0, steps_.size());
  return std::move(out).take();
}

void Template::fill(Output& out, const Values& values, std::size_t from, std::size_t to) const {
  const auto* steps = steps_.data();
  for (auto at = from; at < to; ++at) {
    const Step& step = steps[at];
    if (step.kind == Step::Kind::text) {
      out.append(step.text);
      continue;
    }
    const auto* found = values.find(step.name);
    if (step.kind == Step::Kind::value) {
      if (found) append_escaped(out, found->text, step.escape);
      continue;
    }
    bool shown = found && !found->text.empty();
    const auto* row = found ? found->rows : nullptr;
    if (shown && !row) continue;  // the steps of the section come next
    if (shown) fill(out, values, at + 1, step.end);
    for (; row; row = row->next_) fill(out, *row, at + 1, step.end);
    at = step.end - 1;
  }
}

}  // namespace quire::http
