#include "records/json_cursor.h"

#include <boost/json/parse.hpp>

#include "records/container.h"

namespace quire::records {
namespace {

constexpr std::string_view ends_of_scalar = " \t\r\n,:]}[{\"";

}  // namespace

bool JsonCursor::more() {
  if (text_) rest_ = text_->next();
  return !rest_.empty();
}

void JsonCursor::take() {
  char c = rest_.front();
  if (c == '\n') ++line_;
  if (kept_ && kept_->size() <= max_kept_) kept_->push_back(c);
  rest_.remove_prefix(1);
}

int JsonCursor::skip_blanks() {
  int c = peek();
  for (; c != end && blanks.find(static_cast<char>(c)) != blanks.npos; c = peek()) take();
  return c;
}

bool JsonCursor::pass_string(std::string* kept, std::size_t max) {
  kept_ = kept;
  max_kept_ = max;
  bool passed = pass_string();
  kept_ = nullptr;
  return passed;
}

bool JsonCursor::pass_string() {
  if (peek() != '"') return false;
  take();
  for (int c = peek(); c != end; c = peek()) {
    take();
    if (c == '"') return true;
    if (c == '\\' && peek() != end) take();
  }
  return false;
}

bool JsonCursor::pass_value(std::string* kept, std::size_t max) {
  kept_ = kept;
  max_kept_ = max;
  int c = peek();
  bool passed = c == '"' ? pass_string() : c == '{' || c == '[' ? pass_containers() : false;
  if (c != '"' && c != '{' && c != '[') {
    for (; c != end && ends_of_scalar.find(static_cast<char>(c)) == ends_of_scalar.npos;
         c = peek()) {
      take();
      passed = true;
    }
  }
  kept_ = nullptr;
  return passed;
}

bool JsonCursor::pass_containers() {
  std::string open;  // the brackets that end them
  do {
    int c = peek();
    if (c == end) return false;
    if (c == '"') {
      if (!pass_string()) return false;
      continue;
    }
    if (c == '{' || c == '[') open.push_back(c == '{' ? '}' : ']');
    if (open.size() > max_depth) return false;
    if (c == '}' || c == ']') {
      if (c != open.back()) return false;
      open.pop_back();
    }
    take();
  } while (!open.empty());
  return true;
}

std::string json_name(std::string_view quoted) {
  boost::system::error_code none;
  auto value = boost::json::parse(quoted, none);
  return !none && value.is_string() ? std::string(value.get_string()) : std::string();
}

}  // namespace quire::records
