#include "records/xml.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

namespace quire::records {

namespace json = boost::json;

namespace {

constexpr std::size_t at_once = 8 << 10;    // of the text, so that few rows wait
constexpr std::size_t size_of_member = 32;  // about, besides name and text
constexpr std::size_t max_child = 4 << 10;  // around a row
constexpr std::size_t max_children = 16 << 10;
constexpr std::size_t max_around = 64 << 10;
constexpr std::size_t max_names = 1000;  // that have rows within

bool is_blank(std::string_view text) {
  return text.find_first_not_of(blanks) == text.npos;
}

// Members of one name become an array.
void add(json::object& members, std::string_view name, json::value value) {
  auto* member = members.if_contains(name);
  if (!member) {
    members.emplace(name, std::move(value));
  } else if (auto* array = member->if_array()) {
    array->push_back(std::move(value));
  } else {
    json::array both(members.storage());
    both.push_back(std::move(*member));
    both.push_back(std::move(value));
    *member = std::move(both);
  }
}

}  // namespace

Xml::Xml(Text& text, std::string_view rows, std::vector<std::string> others)
    : text_(text),
      rows_(rows.substr(rows.find(':') + 1)),
      others_(std::move(others)),
      parser_(*this) {}

Result<Row> Xml::next() {
  while (waiting_.empty()) {
    if (fault_) return *fault_;
    if (ended_) return Row(End{});
    read_some();
  }
  auto next = std::move(waiting_.front());
  waiting_.pop_front();
  return next;
}

void Xml::read_some() {
  if (rest_.empty()) rest_ = text_.next();
  if (rest_.empty()) {
    ended_ = true;
    if (!text_.failed().empty()) return;
    if (auto whole = parser_.finish(); !whole) fault_ = whole.error();
    if (!fault_ && !found_ && !others_.empty())
      fault_ = fault(0, fmt::format("No element is named {}, which the mapping's rows names. "
                                    "Elements that come several times: {}.",
                                    rows_, fmt::join(others_, ", ")));
    return;
  }
  auto piece = rest_.substr(0, at_once);
  rest_.remove_prefix(piece.size());
  if (auto taken = parser_.feed(piece); !taken) fault_ = taken.error();
}

bool Xml::passes_over(std::string_view child) const {
  bool of_row = in_row() && open_.size() == row_;
  return passed_over_ > 0 || (of_row && kept_ && !kept_->contains(child));
}

// Its size counts all the same, so that a row is as long as it is.
void Xml::pass_over(std::string_view name, const Attributes& attributes) {
  ++passed_over_;
  grow_row(size_of_member + name.size());
  for (const auto& [attribute, value] : attributes)
    grow_row(size_of_member + attribute.size() + value.size());
}

void Xml::begin_element(std::string_view name, Attributes attributes) {
  if (passes_over(name)) return pass_over(name, attributes);
  if (!in_row() && name == rows_) begin_row();
  if (!in_row()) around_.reset();
  auto& element = open_.emplace_back(Element{name});
  grow_row(size_of_member + name.size());
  for (auto& [attribute, value] : attributes) {
    auto size = size_of_member + attribute.size() + value.size();
    grow_row(size);
    if (!in_row() && element.size + size > max_child) continue;
    element.size += size;
    auto member = std::string("@").append(attribute);
    members_of(element).emplace(member, value);
  }
}

json::object& Xml::members_of(Element& element) const {
  if (!element.members) element.members.emplace(storage_);
  return *element.members;
}

void Xml::begin_row() {
  for (auto inner = open_.rbegin(); inner != open_.rend() && !inner->has_rows; ++inner) {
    inner->has_rows = true;
    if (have_rows_.size() < max_names) have_rows_.emplace(inner->name);
    auto outer = std::next(inner);
    if (outer == open_.rend()) break;
    auto* before = outer->members ? outer->members->if_contains(inner->name) : nullptr;
    if (!before) continue;
    outer->size -= std::min(outer->size, json::serialize(*before).size());
    outer->members->erase(inner->name);
    around_.reset();
  }
  if (!around_) around_ = around();
  found_ = true;
  row_ = open_.size() + 1;
  row_size_ = 0;
  line_ = parser_.line_of_element();
  // A row has many small values, which live and die together.
  storage_ = json::make_shared_resource<json::monotonic_resource>();
}

// A row that is too long keeps nothing more.
void Xml::grow_row(std::size_t size) {
  if (!in_row()) return;
  row_size_ += size;
  if (row_size_ <= max_row) return;
  for (auto at = row_ - 1; at < open_.size(); ++at) {
    open_[at].members.reset();
    open_[at].text.clear();
  }
}

void Xml::text(std::string_view part) {
  if (open_.empty()) return;
  auto& element = open_.back();
  grow_row(part.size());
  if (passed_over_ > 0) return;
  if (in_row() ? row_size_ > max_row : element.too_large) return;
  element.text += part;
  if (in_row() || element.text.size() <= max_child) return;
  element.text.clear();
  element.too_large = true;
}

void Xml::end_element() {
  if (passed_over_ > 0) return void(--passed_over_);
  if (open_.empty()) return;
  auto element = std::move(open_.back());
  open_.pop_back();
  if (in_row() && open_.size() + 1 == row_) return end_row(std::move(element));
  if (!in_row()) return keep_around(std::move(element));
  if (row_size_ > max_row) return;
  add(members_of(open_.back()), element.name, value_of(std::move(element)));
}

void Xml::end_row(Element&& row) {
  auto members = std::move(members_of(row));
  row_ = 0;
  storage_ = {};
  if (row_size_ > max_row) {
    waiting_.emplace_back(BadRow{line_, long_row, ""});
    return;
  }
  if (!is_blank(row.text)) members.emplace("#text", row.text);
  waiting_.emplace_back(Record{std::move(members), around_, line_});
}

void Xml::keep_around(Element&& element) {
  around_.reset();
  if (open_.empty() || element.has_rows || element.too_large) return;
  if (have_rows_.contains(element.name)) return;
  auto& outer = open_.back();
  auto size = size_of_member + element.name.size() + element.size + element.text.size();
  if (size > max_child || outer.size + size > max_children) return;
  outer.size += size;
  add(members_of(outer), element.name, value_of(std::move(element)));
}

std::shared_ptr<const Surroundings> Xml::around() const {
  auto around = std::make_shared<Surroundings>();
  std::size_t size = 0;
  for (auto inner = open_.rbegin(); inner != open_.rend(); ++inner) {
    size += inner->size;
    bool fits = inner->members && size <= max_around;
    around->emplace_back(inner->name, fits ? *inner->members : json::object());
  }
  std::reverse(around->begin(), around->end());
  return around;
}

json::value Xml::value_of(Element&& element) const {
  if (!element.members) return json::value(element.text, storage_);
  if (!is_blank(element.text)) element.members->emplace("#text", element.text);
  return std::move(*element.members);
}

}  // namespace quire::records
