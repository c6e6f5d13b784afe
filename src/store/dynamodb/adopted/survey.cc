#include "store/dynamodb/adopted/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "mapping/columns/personal.h"
#include "mapping/columns/status_column.h"
#include "mapping/path.h"
#include "model/facets.h"
#include "store/dynamodb/adopted/columns.h"
#include "store/dynamodb/adopted/mapping/reading.h"
#include "store/dynamodb/adopted/mapping/record.h"
#include "store/dynamodb/adopted/records.h"
#include "store/dynamodb/adopted/survey_indexes.h"

namespace quire::adopted {
namespace {

using dynamodb::Item;
using dynamodb::TableDescription;

using Words = std::vector<std::string_view>;
const Words product_words = {"product", "item", "sku", "article", "asin"};

using Fits = std::function<bool(const Column&)>;

bool is_stars(std::string_view text) {
  return text.size() == 1 && text >= "1" && text <= "5";
}

bool is_language(std::string_view text) {
  return canonical_language(text).has_value();
}

// A remark of TOML has one line, and no control characters.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

// A remark about values that do not fit, behind a line. Empty: all do.
template <class Fits>
std::string odd_ones(const Column& column, Fits fits, std::string_view kind) {
  std::set<std::string> odd;
  std::size_t count = 0;
  for (const auto& value : column.values) {
    if (fits(value)) continue;
    ++count;
    if (odd.size() < 3) odd.insert(quoted(std::string_view(value).substr(0, 40)));
  }
  if (count == 0) return {};
  return fmt::format("  # {} of {} no {}: {}", count,
                     counted(column.values.size(), "value") + (count == 1 ? " is" : " are"), kind,
                     fmt::join(odd, ", "));
}

bool has_value(const Item& item, const std::string& path) {
  auto is_value = [](const boost::json::value& value) { return !value.is_null(); };
  return each_at(record_of(item, {path}), path, is_value);
}

// What begins a text of every comment.
struct When {
  std::string attribute;
  std::string begins;
};

// Chooses a column for each field, each column once.
class Proposal {
 public:
  Proposal(const TableDescription& table, const std::vector<Item>& sample)
      : table_(table), sample_(sample), all_(columns_of(sample)) {
    for (const auto& key : table.keys) keys_.insert(key.name);
    for (const auto& index : table.indexes)
      for (const auto& key : index.keys) index_keys_.insert(key.name);
  }

  std::string text() {
    auto rating = rating_column();
    if (rating) {
      std::erase_if(comments_ = sample_,
                    [&](const Item& item) { return !has_value(item, *rating); });
      of_comments_ = columns_of(comments_);
    }
    out_ = "[comment]\n";
    if (rating && comments_.size() < sample_.size()) add_when();
    find_time();
    add_product();
    add_time();
    add_field("language", {"lang", "locale"},
              [](const Column& column) { return column.mostly(is_language); });
    if (rating)
      out_ += fmt::format("rating = {{ attribute = {} }}{}\n", quoted(*rating),
                          odd_ones(of_comments_.at(*rating), is_stars, "whole number from 1 to 5"));
    else
      out_ +=
          "# No attribute has numbers from 1 to 5 alone: name the rating's.\n"
          "rating = { default = 5 }\n";
    auto any_text = [](const Column&) { return true; };
    add_field("title", {"title", "headline", "subject", "summary"}, any_text);
    add_field("text", {"text", "body", "content", "comment", "message", "review"},
              [](const Column& column) { return column.mean_size() > 8 || column.is("text"); });
    of_author_ = true;
    add_field("author", {"author", "user", "reviewer", "customer", "name"}, any_text);
    add_status();
    add_id();
    add_attributes();
    add_indexes();
    return remarks() + out_;
  }

 private:
  // The first column that fits, by the first word that its name has.
  const Column* find(const Words& words, const Fits& fits) {
    for (auto word : words) {
      for (const auto& [name, column] : of_comments_) {
        bool personal = !personal_word(name, of_author_).empty() || is_contact(column);
        if (is_free(name) && !personal && column.named(word) && column.scalar() && fits(column))
          return &column;
      }
    }
    return nullptr;
  }

  std::optional<std::string> rating_column() {
    of_comments_ = all_;
    comments_ = sample_;
    auto stars = [](const Column& column) { return column.mostly(is_stars); };
    const auto* column = find({"star", "rating", "score", "rate"}, stars);
    if (!column) return {};
    used_.insert(column->name);
    return column->name;
  }

  void add_when() {
    when_ = find_when(part_ends, 0);
    if (!when_) when_ = find_when(any_ends, 1);
    out_ += when_ ? fmt::format("when = {{ attribute = {}, begins = {} }}\n",
                                quoted(when_->attribute), quoted(when_->begins))
                  : "# Some items have no rating, and no text tells them apart: see \"when\".\n";
  }

  // What begins a text of every comment, and of no other item: the least that tells them apart.
  // `others`: how many other items have the text at least.
  std::optional<When> find_when(std::string_view ends, std::size_t others) const {
    for (const auto& [name, column] : of_comments_) {
      const auto& all = all_.at(name).values;
      bool mixed = all.size() >= column.values.size() + others && all_.at(name).scalar();
      if (column.present != comments_.size() || !column.text() || !mixed) continue;
      auto longest = common_beginning(column.values, ends);
      // Comments of another month are comments, too.
      if (auto place = time_place(column))
        longest.resize(std::min({longest.size(), place->pattern.size(), place->pattern.find('{')}));
      for (auto end = longest.find_first_of(ends); end != longest.npos;
           end = longest.find_first_of(ends, end + 1)) {
        auto begins = longest.substr(0, end + 1);
        auto admitted = std::count_if(all.begin(), all.end(),
                                      [&](const auto& text) { return text.starts_with(begins); });
        if (static_cast<std::size_t>(admitted) == column.values.size()) return When{name, begins};
      }
    }
    return {};
  }

  // What lies before the product in every key. An id such as shoe-1 is whole: another product may
  // be hat-1.
  std::string before_product(const Column& key) const {
    auto begins = common_beginning(key.values, part_ends);
    // In gid://shop/1 the colon is part of the id.
    if (key.all([&](const auto& text) { return text.substr(begins.size()).starts_with("//"); }))
      begins = common_beginning(key.values, "#|");
    // ElectroDB names the attribute: $shop#product_1.
    auto label = common_beginning(key.values, "_").find('_', begins.size());
    if (begins.starts_with('$') && label != begins.npos)
      begins = key.values.front().substr(0, label + 1);
    bool admits = when_ && when_->attribute == key.name && when_->begins.size() > begins.size();
    return admits ? when_->begins : begins;
  }

  // The partition key under which comments lie in order of time, the fewest keys for all of them;
  // or that of the table.
  const Column* product_key() const {
    const Column* best = nullptr;
    auto worth = [](const Column& each) {
      std::set<std::string_view> different(each.values.begin(), each.values.end());
      return std::tuple(!each.begins_with_product(), different.size(), each.mean_size());
    };
    for (const auto& keys : all_keys()) {
      if (keys.size() != 2 || keys[1].name != time_ || keys[0].type != "S") continue;
      auto at = of_comments_.find(keys[0].name);
      if (at == of_comments_.end() || at->second.present != comments_.size()) continue;
      if (!best || worth(at->second) < worth(*best)) best = &at->second;
    }
    auto partition = of_comments_.find(table_.keys.front().name);
    return best || partition == of_comments_.end() ? best : &partition->second;
  }

  void add_product() {
    const auto* column =
        find(product_words, [](const Column& each) { return each.mean_size() < 64; });
    const auto* key = product_key();
    auto named = [](const Column& each) {
      return std::any_of(product_words.begin(), product_words.end(),
                         [&](auto word) { return each.named(word); });
    };
    bool from_key = !column || (key && named(*key));
    product_ = from_key ? (key ? key->name : table_.keys.front().name) : column->name;
    used_.insert(product_);
    auto begins = from_key && key ? before_product(*key) : "";
    out_ += begins.empty() ? fmt::format("product = {{ attribute = {} }}\n", quoted(product_))
                           : fmt::format("product = {{ attribute = {}, pattern = {} }}\n",
                                         quoted(product_), quoted(begins + "{product}"));
  }

  std::vector<std::vector<dynamodb::Key>> all_keys() const {
    std::vector<std::vector<dynamodb::Key>> keys{table_.keys};
    for (const auto& index : table_.indexes) keys.push_back(index.keys);
    return keys;
  }

  // Where every comment has a time: by name, but a sort key that tells the same times comes first,
  // because pages can be read from its index.
  void find_time() {
    for (std::string_view word : {"created", "posted", "date", "time", "at", ""}) {
      for (const auto& [name, column] : of_comments_) {
        if (time_.empty() && !used_.contains(name) && column.named(word) && has_time(column))
          time_ = name;
      }
    }
    if (time_.empty()) return;
    auto times = times_of(of_comments_.at(time_));
    for (const auto& keys : all_keys()) {
      auto at = keys.size() == 2 ? of_comments_.find(keys[1].name) : of_comments_.end();
      bool same = at != of_comments_.end() && has_time(at->second) && times_of(at->second) == times;
      if (!same) continue;
      time_ = at->first;
      return;
    }
  }

  bool has_time(const Column& column) const {
    return column.scalar() && mostly(column.present, comments_.size()) && time_place(column);
  }

  void add_time() {
    if (time_.empty()) {
      out_ +=
          "# No attribute has a time in every item: name the one of the time of writing.\n"
          "created_at = { attribute = \"created_at\" }\n";
      return;
    }
    used_.insert(time_);
    const auto& column = of_comments_.at(time_);
    auto place = *time_place(column);
    auto pattern = place.pattern.empty() ? "" : ", pattern = " + quoted(place.pattern);
    auto odd = odd_ones(column, has_lone_time, "time");
    out_ += fmt::format("created_at = {{ attribute = {}{}, format = {} }}{}\n", quoted(time_),
                        pattern, quoted(format_of_times(column)), odd);
  }

  void add_field(std::string_view field, const Words& words, const Fits& fits) {
    const auto* column = find(words, fits);
    if (!column) return;
    used_.insert(column->name);
    bool language = field == "language";
    out_ += fmt::format("{} = {{ attribute = {}, default = \"{}\" }}{}\n", field,
                        quoted(column->name), language ? "und" : "",
                        language ? odd_ones(*column, is_language, "language") : "");
  }

  bool is_free(const std::string& name) const {
    return !used_.contains(name) && !index_keys_.contains(name) && !keys_.contains(name);
  }

  // The column named status comes first, then any other that may be one.
  void add_status() {
    const Column* found = nullptr;
    for (const auto& [name, column] : of_comments_) {
      if (!is_free(name) || !status_values(column)) continue;
      if (!found || (column.is("status") && !found->is("status"))) found = &column;
    }
    if (!found) return;
    used_.insert(found->name);
    auto status = *status_values(*found);
    std::vector<std::string> values, unknown;
    for (const auto& [value, meaning] : status.known)
      values.push_back(quoted(value) + " = " + quoted(meaning));
    for (const auto& value : status.unknown) unknown.push_back(quoted(value));
    if (!unknown.empty())
      out_ += fmt::format("# Of these nobody knows what they mean, so they wait: {}\n",
                          fmt::join(unknown, ", "));
    out_ += fmt::format("status = {{ attribute = {}, values = {{ {} }}, default = {} }}\n",
                        quoted(found->name), fmt::join(values, ", "), quoted(status.fallback));
  }

  // The partition key of the table, where it is another one for each comment.
  void add_id() {
    auto key = of_comments_.find(table_.keys.front().name);
    if (key == of_comments_.end() || used_.contains(key->first)) return;
    const auto& values = key->second.values;
    std::set<std::string_view> different(values.begin(), values.end());
    if (different.size() != comments_.size()) return;
    used_.insert(key->first);
    auto begins = common_beginning(values, part_ends);
    auto pattern = begins.empty() ? "" : ", pattern = " + quoted(begins + "{id}");
    auto line = fmt::format("id = {{ attribute = {}{} }}", quoted(key->first), pattern);
    add_public(out_, line, personal_reason(key->second));
  }

  // A line of what everybody may read, or, with a reason why not, its comment.
  static void add_public(std::string& out, std::string_view line, std::string_view reason) {
    out += reason.empty() ? fmt::format("{}\n", line) : fmt::format("# {}  # {}\n", line, reason);
  }

  void add_attributes() {
    std::string lines;
    std::set<std::string> names;
    for (const auto& [name, column] : of_comments_) {
      if (!is_free(name) || !column.attribute()) continue;
      auto own = attribute_name(name, "table_");
      auto reason = personal_reason(column);
      if (reason.empty() && status_values(column)) reason = "it may say that some are not shown";
      if (own.empty() || names.contains(own) || (reason.empty() && names.size() == 32)) continue;
      if (reason.empty()) names.insert(own);
      add_public(lines, fmt::format("{} = {{ attribute = {} }}", own, quoted(name)), reason);
    }
    if (!lines.empty()) out_ += "\n# Everybody sees attributes.\n[attributes]\n" + lines;
  }

  void add_indexes() {
    if (auto mapping = parse_mapping(out_, "mapping"))
      out_ += propose_indexes(*mapping, table_, comments_, product_, time_);
  }

  // What the mapping makes of the sample.
  std::string remarks() const {
    auto mapping = parse_mapping(out_, "mapping");
    auto text =
        fmt::format("# A first mapping, from a sample of {}.\n", counted(sample_.size(), "item"));
    if (!mapping)
      return text + "# It is not complete: " + one_line(mapping.error().message) + "\n\n";
    std::size_t comments = 0, unpublished = 0;
    // By kind: how many, and one of them.
    std::map<std::string, std::pair<std::size_t, std::string>> damaged;
    for (const auto& item : sample_) {
      auto reading = read_item(*mapping, key_names(table_), item);
      comments += reading.comment.has_value();
      unpublished += !reading.comment && reading.reason.empty() && admits(*mapping, item);
      if (reading.reason.empty()) continue;
      auto& [count, example] = damaged[reading.reason.substr(0, reading.reason.rfind(": \""))];
      if (++count == 1) example = reading.reason;
    }
    text += fmt::format("# By it, {} of them {}.\n", comments,
                        comments == 1 ? "is a comment" : "are comments");
    if (unpublished > 0)
      text += fmt::format("# {} not published by their status: nobody sees them.\n",
                          counted(unpublished, "item") + (unpublished == 1 ? " is" : " are"));
    for (const auto& [kind, some] : damaged)
      text += fmt::format("# {} would be damaged: {}\n", some.first, one_line(some.second));
    return text + "# Compare each line with what your programs write.\n\n";
  }

  const TableDescription& table_;
  const std::vector<Item>& sample_;
  Columns all_;
  std::vector<Item> comments_;
  Columns of_comments_;
  std::set<std::string> keys_, index_keys_, used_;
  std::optional<When> when_;
  std::string product_, time_;
  bool of_author_ = false;  // the author's column is looked for
  std::string out_;
};

}  // namespace

std::string propose_mapping(const TableDescription& table, const std::vector<Item>& sample) {
  return Proposal(table, sample).text();
}

}  // namespace quire::adopted
