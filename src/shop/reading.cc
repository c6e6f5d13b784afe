#include "shop/reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/validate.h"
#include "shop/tables.h"

namespace quire::shop {
namespace {

constexpr std::size_t max_file_bytes = 1 << 20;
constexpr std::size_t max_phrases = 10'000;
constexpr std::size_t max_names = 1000;  // of files in a folder
constexpr std::size_t max_faults = 20;
constexpr std::int64_t max_reports = 100;  // so many of a comment are kept

class ShopReader {
 public:
  ShopReader(const std::string& path, FileTexts known)
      : path_(path), known_(std::move(known)), toml_(path) {}

  FileTexts texts;  // those that were looked at

  Result<Shop> read() {
    const auto& file = text_of(path_);
    if (!file.trouble.empty()) return refused({file.trouble});
    // A file that is being written, or was cut short, must not publish all that waits.
    if (file.bytes.empty())
      return refused({path_ + " is empty. quire shop new prints a first one."});
    Shop shop;
    if (auto tables = toml_.parse(file.bytes)) {
      toml_.expect(*tables, "The shop file",
                   {"shop", "writing", "moderation", "votes", "identity", "feeds", "webhook"});
      if (const auto* table = toml_.table(*tables, "shop", "[shop]")) read_shop(*table, shop);
      if (const auto* table = toml_.table(*tables, "moderation", "[moderation]"))
        read_moderation(*table, shop);
      if (const auto* table = toml_.table(*tables, "writing", "[writing]"))
        read_writing(toml_, *table, shop);
      if (const auto* table = toml_.table(*tables, "votes", "[votes]"))
        read_votes(toml_, *table, shop);
      if (const auto* table = toml_.table(*tables, "feeds", "[feeds]"))
        read_feeds(toml_, *table, shop);
      auto file = [this](const std::string& name, bool secret) -> const FileText& {
        if (secret) secrets_.insert(path_of(name));
        return text_of(path_of(name));
      };
      if (const auto* node = tables->get("identity")) read_issuers(toml_, *node, file, shop);
      if (const auto* node = tables->get("webhook")) read_webhooks(toml_, *node, file, shop);
    }
    if (shop.votes && shop.issuers.empty())
      shop.warnings.push_back(
          "Nobody can vote yet: votes are of customers with signed tokens, and there is no "
          "[[identity]].");
    auto faults = toml_.faults();
    faults.insert(faults.end(), other_faults_.begin(), other_faults_.end());
    if (!faults.empty()) return refused(std::move(faults));
    std::string all;
    for (const auto& [path, text] : texts)
      if (!secrets_.contains(path)) all += sha256_hex(text.bytes);
    // Whoever knows the address of Slack's webhook may send to it.
    auto hidden = secrets_;
    if (std::any_of(shop.webhooks.begin(), shop.webhooks.end(),
                    [](const auto& each) { return each.format == webhook::Format::slack; }))
      hidden.insert(path_);
    for (const auto& path : hidden)
      if (others_may_read(path))
        shop.warnings.push_back(
            fmt::format("Everyone on this machine may read {}: {}", path, commands_to_hide(path)));
    shop.fingerprint = sha256_hex(all).substr(0, 16);
    return shop;
  }

 private:
  // A file that cannot be read may be readable later: systemd starts the server again.
  Error refused(std::vector<std::string> faults) const {
    bool unread = std::any_of(texts.begin(), texts.end(),
                              [](const auto& each) { return !each.second.trouble.empty(); });
    auto more = faults.size() - std::min(faults.size(), max_faults);
    faults.resize(faults.size() - more);
    if (more > 0) faults.push_back(fmt::format("{} more.", counted(more, "fault")));
    return {unread ? ErrorCode::unavailable : ErrorCode::invalid_parameter,
            fmt::format("{}", fmt::join(faults, "\n")), "shop"};
  }

  const FileText& text_of(const std::string& path) {
    auto known = known_.find(path);
    return texts.try_emplace(path, known == known_.end() ? read_text(path) : known->second)
        .first->second;
  }

  std::string path_of(const std::string& name) const {
    return (std::filesystem::path(path_).parent_path() / name).string();
  }

  void read_shop(const toml::table& table, Shop& shop) {
    auto file = [this](const std::string& name, bool) -> const FileText& {
      return text_of(path_of(name));
    };
    read_face(
        toml_, table, file, [this](const std::string& name) { return path_of(name); }, shop,
        other_faults_);
  }

  void read_moderation(const toml::table& table, Shop& shop) {
    toml_.expect(table, "[moderation]", {"hold", "first", "links", "words", "reports"});
    bool says_hold = read_hold(table, shop);
    shop.first = toml_.flag(table, "first");
    shop.links = toml_.flag(table, "links");
    if (auto file = toml_.text(table, "words")) read_words(*table.get("words"), *file, shop);
    if (const auto* node = table.get("reports")) {
      auto value = node->value_exact<std::int64_t>();
      if (!value || *value < 0 || *value > max_reports)
        toml_.refuse(*node, "reports is a whole number from 0 to 100; 0: never.");
      else
        shop.reports = static_cast<int>(*value);
    }
    bool has_rule = shop.first || shop.links || table.contains("words");
    bool names_rule = table.contains("first") || table.contains("links") || table.contains("words");
    if (names_rule && !says_hold)
      toml_.refuse(table, R"(Rules hold comments where hold = "rules" stands beside them.)");
    if (shop.hold == Hold::rules && !has_rule)
      toml_.refuse(
          *table.get("hold"),
          R"(hold = "rules" needs a rule: first = true, links = true, or words = "FILE".)");
  }

  // Whether the table has `hold`.
  bool read_hold(const toml::table& table, Shop& shop) {
    const auto* node = table.get("hold");
    if (!node) return false;
    auto value = node->value_exact<std::string>();
    if (value == "all")
      shop.hold = Hold::all;
    else if (value == "rules")
      shop.hold = Hold::rules;
    else if (value != "none")
      toml_.refuse(*node, R"(hold is "none", "all" or "rules".)");
    return true;
  }

  void read_words(const toml::node& at, const std::string& name, Shop& shop) {
    auto path = path_of(name);
    const auto& file = text_of(path);
    if (!file.trouble.empty()) return toml_.refuse(at, file.trouble);
    std::vector<std::string> phrases;
    std::uint32_t number = 0;
    std::string_view rest = file.bytes;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // as some editors begin a file
    while (!rest.empty()) {
      auto end = std::min(rest.find('\n'), rest.size());
      auto line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      ++number;
      if (line.find_first_not_of(" \t\r") == line.npos || line.starts_with('#')) continue;
      if (!characters(line, "\t\r")) {
        refuse_words(path, number, "A phrase is of UTF-8, without control characters.");
      } else if (!has_word(line)) {
        refuse_words(path, number, "A phrase has a letter or digit. Comments begin with #.");
      } else if (phrases.size() == max_phrases) {
        return refuse_words(path, number, "A file of words has at most 10,000 phrases.");
      } else {
        phrases.emplace_back(line);
      }
    }
    if (phrases.empty() && other_faults_.empty())
      return toml_.refuse(at, path + " has no phrase. Write one a line.");
    shop.words = Phrases(phrases);
  }

  void refuse_words(const std::string& path, std::uint32_t line, std::string_view sentence) {
    other_faults_.push_back(fmt::format("{}:{}: {}", path, line, sentence));
  }

  const std::string& path_;
  const FileTexts known_;
  TomlReader toml_;
  std::set<std::string> secrets_;          // files with secrets, which no print may tell of
  std::vector<std::string> other_faults_;  // of other files
};

// The names of the files in a folder, a line each.
FileText names_in(const std::string& folder) {
  std::error_code failed;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (names.size() < max_names) names.insert(entry.path().filename().string());
  if (failed)
    return {.trouble = fmt::format("The folder {} cannot be read: {}.", folder, failed.message())};
  return {.bytes = fmt::format("{}\n", fmt::join(names, "\n"))};
}

}  // namespace

FileText read_text(const std::string& path) {
  if (path.ends_with('/')) return names_in(path);
  auto text = read_whole("the file", path, max_file_bytes);
  if (text) return {.bytes = std::move(*text)};
  return {.trouble = text.error().message};
}

Result<Shop> parse(const std::string& path, FileTexts& texts) {
  ShopReader reader(path, std::move(texts));
  auto shop = reader.read();
  texts = std::move(reader.texts);
  return shop;
}

}  // namespace quire::shop
