#include "mapping/presets/proposal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "mapping/columns/status_column.h"
#include "mapping/file_mapping.h"
#include "mapping/presets/fitting_preset.h"
#include "mapping/presets/proposed_attributes.h"
#include "mapping/presets/roles.h"
#include "mapping/presets/scores.h"
#include "mapping/presets/written_times.h"

namespace quire {
namespace {

using Chosen = Roles::Chosen;

// "column = "a"", or of several a list.
std::string column_of(const Chosen& columns) {
  std::vector<std::string> names;
  for (const auto* each : columns) names.push_back(quoted(each->column.name));
  return names.size() == 1 ? "column = " + names.front()
                           : fmt::format("column = [{}]", fmt::join(names, ", "));
}

constexpr std::string_view html_signs[] = {"<p>", "<br", "</", "&amp;", "&#", "&quot;", "&nbsp;"};

bool has_html(const Chosen& columns) {
  std::size_t some = 0, all = 0;
  for (const auto* each : columns) {
    for (std::string_view text : each->column.values) {
      ++all;
      some += std::any_of(std::begin(html_signs), std::end(html_signs),
                          [&](auto sign) { return text.find(sign) != text.npos; });
    }
  }
  return 20 * some >= all && some > 0;
}

class Proposal {
 public:
  Proposal(std::span<const Record> sample, std::string_view rows)
      : sample_(sample), rows_(rows), all_(columns_of(sample)) {
    auto roles = find_roles(all_, sample_.size());
    kinds_ = roles.kind;
    parents_ = roles.parent;
    if (!roles.rating.empty()) keep_rated(*roles.rating.front());
    columns_ = columns_of(sample_);
    roles_ = find_roles(columns_, sample_.size());
  }

  std::string text() {
    out_ =
        "[file]\n# A name for where the file is from. Ids are made of it, so it never changes.\n";
    out_ += "source = \"before\"\n";
    if (!rows_.empty()) out_ += fmt::format("rows = {}\n", quoted(rows_));
    out_ += "\n[comment]\n";
    add_when();
    add_id();
    add_product();
    add_rating();
    add_time();
    add_plain("language", roles_.language, "");
    add_author();
    add_plain("title", roles_.title, repeats_text() ? ", unless_in_text = true" : "");
    add_plain("text", roles_.text, "");
    add_status();
    add_pictures();
    add_reply();
    auto used = roles_.used();
    for (const auto& column : columns_)
      for (const auto* chosen : {&kinds_, &parents_})
        if (!chosen->empty() && chosen->front()->column.name == column.column.name)
          used.insert(&column);
    out_ += propose_attributes(columns_, used);
    return remarks() + out_;
  }

 private:
  // Of files with other things than reviews: facts of products, pingbacks, answers.
  void keep_rated(const FileColumn& rating) {
    if (mostly(rating.records.size(), sample_.size())) return;
    for (auto record : rating.records) rated_.push_back(sample_[record]);
    unrated_ = sample_.size() - rated_.size();
    sample_ = rated_;
  }

  void add_when() {
    if (!kinds_.empty()) {
      std::set<std::string> words;
      for (const auto& value : kinds_.front()->column.values)
        if (is_no_comment(value)) words.insert(quoted(value));
      out_ +=
          fmt::format("when = {{ {}, not = [{}] }}\n", column_of(kinds_), fmt::join(words, ", "));
    } else if (unrated_ > 0) {
      add_beginning();
    }
  }

  // What begins a text of each rated record, and not of each other one.
  void add_beginning() {
    for (const auto& column : columns_) {
      auto begins = common_beginning(column.column.values, part_ends);
      bool whole = column.column.present == sample_.size() && !begins.empty();
      auto same = std::find_if(all_.begin(), all_.end(), [&](const FileColumn& each) {
        return each.column.name == column.column.name;
      });
      if (!whole || same == all_.end() || written_times(column.column)) continue;
      const auto& values = same->column.values;
      auto admitted = std::count_if(values.begin(), values.end(),
                                    [&](const auto& value) { return value.starts_with(begins); });
      if (static_cast<std::size_t>(admitted) == values.size() && values.size() > sample_.size())
        continue;
      out_ += fmt::format("when = {{ column = {}, begins = {} }}\n", quoted(column.column.name),
                          quoted(begins));
      return;
    }
  }

  // The pattern of values that all begin with a key's name: "COMMENT#{id}".
  static std::string pattern_of(const Chosen& columns, std::string_view field,
                                std::string_view ends) {
    if (columns.size() != 1) return {};
    const auto& values = columns.front()->column.values;
    auto begins = common_beginning(values, ends);
    if (begins.empty() || begins.find_first_of("{}") != begins.npos) return {};
    auto whole = fmt::format("{}{{{}}}", begins, field);
    auto divided = [&](char sign) {
      return std::any_of(values.begin(), values.end(), [&](const auto& value) {
        return value.find(sign, begins.size()) != value.npos;
      });
    };
    std::vector<std::string> patterns;
    for (char sign : {'?', '/'})
      if (divided(sign) && begins.find_first_of("/#|:") != begins.npos)
        patterns.push_back(quoted(fmt::format("{}{}{{rest}}", whole, sign)));
    patterns.push_back(quoted(whole));
    return patterns.size() == 1 ? ", pattern = " + patterns.front()
                                : fmt::format(", pattern = [{}]", fmt::join(patterns, ", "));
  }

  void add_id() {
    if (roles_.id.empty()) {
      out_ +=
          "# No column has an id of each comment: a comment is known by its product, time,\n"
          "# author, rating, title and text.\n";
      return;
    }
    out_ += fmt::format("id = {{ {}{} }}\n", column_of(roles_.id),
                        pattern_of(roles_.id, "id", part_ends));
  }

  void add_product() {
    if (roles_.product.empty()) {
      out_ += "# No column names a product. Name it, or give all rows one: --product P.\n";
      return;
    }
    const auto& first = roles_.product.front()->column;
    bool address = first.mostly([](const auto& text) { return text.find("://") != text.npos; });
    out_ += fmt::format("product = {{ {}{} }}\n", column_of(roles_.product),
                        pattern_of(roles_.product, "product", address ? "/" : part_ends));
    bool names = roles_.product.front()->has_any({"name", "title"}) &&
                 !roles_.product.front()->has_any({"post", "package"});
    if (names) out_ += "# Products are named by their titles here: product.table gives them ids.\n";
  }

  void add_rating() {
    if (roles_.rating.empty()) {
      out_ += "# No column has ratings. Name it: rating = { column = \"NAME\" }\n";
      return;
    }
    std::vector<double> numbers;
    std::set<std::string> words;
    for (const auto& value : roles_.rating.front()->column.values) {
      auto number = number_in(value);
      if (number)
        numbers.push_back(*number);
      else
        words.insert(quoted(value));
    }
    if (!mostly(numbers.size(), roles_.rating.front()->column.values.size()))
      return add_rating_of_words(words);
    auto max = scale_of(numbers);
    auto how = !roles_.max.empty() ? ", max = " + quoted(roles_.max.front()->column.name)
               : max == 5          ? ""
                                   : fmt::format(", max = {}", max);
    if (roles_.max.empty()) add_halves(numbers, max);
    if (max != 5 && roles_.max.empty())
      out_ += fmt::format("# Some are above {}: they are taken for ratings of {}.\n",
                          max == 10 ? 5 : 10, max);
    out_ += fmt::format("rating = {{ {}{} }}\n", column_of(roles_.rating), how);
  }

  // By the most of them: an odd one is none of 1 to 5.
  static int scale_of(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    auto at = numbers[(numbers.size() - 1) * 19 / 20];
    return at <= 5 ? 5 : at <= 10 ? 10 : 100;
  }

  void add_halves(const std::vector<double>& numbers, int max) {
    auto halves = std::count_if(numbers.begin(), numbers.end(), [&](double number) {
      auto stars = number * 5 / max;
      return stars > 0.5 && std::abs(stars - std::floor(stars) - 0.5) < 1e-9;
    });
    if (halves > 0)
      out_ += fmt::format(
          "# {} between two ratings: rejected, unless round = \"up\" or \"down\" is added.\n",
          counted(static_cast<std::size_t>(halves), "value") + (halves == 1 ? " lies" : " lie"));
  }

  void add_rating_of_words(const std::set<std::string>& words) {
    std::vector<std::string> values;
    for (const auto& word : words) values.push_back(word + " = \"1 to 5\"");
    out_ += "# Its values are words: say which rating each of them is.\n";
    out_ += fmt::format("# rating = {{ {}, values = {{ {} }} }}\n", column_of(roles_.rating),
                        fmt::join(values, ", "));
  }

  void add_time() { out_ += time_line("created_at", roles_.created_at); }

  static std::string time_line(std::string_view field, const Chosen& columns) {
    if (columns.empty())
      return "# No column has times. Name it, or give each row one:\n"
             "# created_at = { default = \"2024-01-31\" }\n";
    std::vector<std::string> formats;
    std::string out;
    bool plain = false, zone = true;
    for (const auto* each : columns) {
      auto times = written_times(each->column).value_or(WrittenTimes());
      plain |= times.formats.empty();
      zone &= times.zone || !times.clock;
      if (!times.other.empty()) {
        out += fmt::format("# Day and month cannot be told apart here: add format = {} or {}.\n",
                           quoted(times.formats.front()), quoted(times.other));
        continue;
      }
      for (const auto& format : times.formats) formats.push_back(quoted(format));
    }
    if (plain && !formats.empty()) formats.push_back("\"iso8601\"");
    if (!zone && !columns.front()->has_any({"gmt", "utc"}))
      out += "# Times name no zone: they are in UTC, unless [file] has zone = \"Europe/Berlin\".\n";
    auto format = formats.empty()       ? ""
                  : formats.size() == 1 ? ", format = " + formats.front()
                                        : fmt::format(", format = [{}]", fmt::join(formats, ", "));
    return out + fmt::format("{} = {{ {}{} }}\n", field, column_of(columns), format);
  }

  void add_plain(std::string_view field, const Chosen& columns, std::string_view more) {
    if (columns.empty()) {
      out_ += fmt::format("# No column has {}.{}\n",
                          field == "text" ? "texts" : fmt::format("a {}", field),
                          field == "language" ? " --language en gives all rows one." : "");
      return;
    }
    bool html = field != "language" && has_html(columns);
    out_ += fmt::format("{} = {{ {}{}{} }}\n", field, column_of(columns),
                        html ? ", html = true" : "", more);
  }

  // Whether half of the titles, or more, only repeat how their texts begin.
  bool repeats_text() const {
    if (roles_.title.empty() || roles_.text.empty()) return false;
    const auto& title = *roles_.title.front();
    std::size_t repeated = 0;
    for (std::size_t i = 0; i < title.records.size(); ++i) {
      const auto* text = roles_.text.front()->of(title.records[i]);
      std::string_view begins = title.column.values[i];
      for (std::string_view dots : {"...", "…"})
        if (begins.ends_with(dots)) begins.remove_suffix(dots.size());
      repeated += text && begins.size() > 8 && text->starts_with(begins);
    }
    return repeated > 0 && 2 * repeated >= title.records.size();
  }

  void add_author() {
    if (roles_.author.empty()) {
      out_ += "# No column has an author.\n";
      return;
    }
    std::set<std::string> nobody;
    for (const auto* each : roles_.author)
      for (const auto& value : each->column.values)
        if (is_nobody(value)) nobody.insert(quoted(value) + " = \"\"");
    auto values = nobody.empty() ? "" : fmt::format(", values = {{ {} }}", fmt::join(nobody, ", "));
    out_ += fmt::format("author = {{ {}{} }}\n", column_of(roles_.author), values);
  }

  void add_status() {
    if (roles_.status.empty()) return;
    const auto& column = roles_.status.front()->column;
    auto status = *status_values(column);
    std::vector<std::string> values, unknown;
    for (const auto& [value, meaning] : status.known) {
      bool spam = in_small_letters(value) == "spam" || roles_.status.front()->has("spam");
      auto word = meaning != "rejected" ? meaning : spam ? "rejected:spam" : "rejected:other";
      values.push_back(quoted(value) + " = " + quoted(word));
    }
    for (const auto& value : status.unknown) unknown.push_back(quoted(value));
    if (!unknown.empty())
      out_ += fmt::format("# Of these nobody knows what they mean, so they wait: {}\n",
                          fmt::join(unknown, ", "));
    bool whole = column.present == sample_.size();
    out_ +=
        fmt::format("status = {{ {}, values = {{ {} }}{} }}\n", column_of(roles_.status),
                    fmt::join(values, ", "), whole ? "" : ", default = " + quoted(status.fallback));
  }

  void add_pictures() {
    if (roles_.pictures.empty()) return;
    const auto& column = *roles_.pictures.front();
    if (column.list.empty())
      out_ += fmt::format("pictures = {{ {} }}\n", column_of(roles_.pictures));
    else
      out_ += fmt::format("pictures = {{ column = {}, member = {} }}\n", quoted(column.list),
                          quoted(column.member));
  }

  // Commented out where some may be hidden.
  void add_reply_columns() {
    std::string lines = "[reply]\n";
    if (!roles_.reply_author.empty())
      lines += fmt::format("author = {{ {} }}\n", column_of(roles_.reply_author));
    lines += fmt::format("text = {{ {}{} }}\n", column_of(roles_.reply_text),
                         has_html(roles_.reply_text) ? ", html = true" : "");
    if (!roles_.reply_time.empty()) lines += time_line("created_at", roles_.reply_time);
    auto hidden = std::find_if(columns_.begin(), columns_.end(), [](const FileColumn& column) {
      return is_of_reply(column) && !column.column.values.empty() &&
             column.has_any({"private", "public", "hidden", "visible", "status", "published"});
    });
    out_ += '\n';
    if (hidden == columns_.end()) {
      out_ += lines;
      return;
    }
    out_ += fmt::format("# {} may say that some are not for everybody: look at it first.\n",
                        quoted(hidden->column.name));
    for (std::size_t at = 0; at < lines.size();) {
      auto end = lines.find('\n', at) + 1;
      out_ += "# " + lines.substr(at, end - at);
      at = end;
    }
  }

  void add_reply() {
    if (!roles_.reply_text.empty()) {
      add_reply_columns();
    } else if (!parents_.empty()) {
      out_ += fmt::format(
          "\n# Answers of visitors would be shown as the shop's: name its users before you use "
          "this.\n"
          "# [reply]\n# of = {}\n# when = {{ column = \"USER\", is = [\"1\"] }}\n",
          quoted(parents_.front()->column.name));
    }
  }

  std::string remarks() const {
    std::string text;
    if (const auto* preset = fitting_preset(all_)) {
      auto system = preset->sentence.substr(0, preset->sentence.find(':'));
      text += fmt::format("# These are the columns of {}: --map {}.\n", system, preset->name);
    }
    text += fmt::format("# A first mapping, from {}. Compare what comes of the first rows:\n",
                        counted(sample_.size() + unrated_, "row"));
    text += "# quire import FILE --map THIS.toml --print | head\n";
    if (unrated_ > 0)
      text += fmt::format("# Without a rating, and no comments: {}.\n", counted(unrated_, "row"));
    auto mapping = parse_file_mapping(out_, "mapping");
    if (!mapping) text += "# It is not complete: see the remarks below.\n";
    return text + "\n";
  }

  std::span<const Record> sample_;
  std::string_view rows_;
  std::vector<FileColumn> all_;  // of all records
  Chosen kinds_, parents_;       // among these
  std::vector<Record> rated_;
  std::size_t unrated_ = 0;
  std::vector<FileColumn> columns_;  // of those with a rating
  Roles roles_;                      // among these
  std::string out_;
};

}  // namespace

std::string propose_file_mapping(std::span<const Record> sample, std::string_view rows) {
  return Proposal(sample.first(std::min(sample.size(), sample_records)), rows).text();
}

}  // namespace quire
