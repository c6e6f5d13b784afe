#include "texts/languages.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace quire::texts {
namespace {

constexpr std::size_t max_ranges = 32;  // of a header

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x == '_' ? '-' : x) == lower(y); });
}

// "pt" of "pt-BR".
std::string_view first_part(std::string_view tag) {
  return tag.substr(0, tag.find_first_of("-_"));
}

std::string_view trim(std::string_view text) {
  auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

struct Range {
  std::string_view text;
  std::string_view weight;  // the digits of "q=0.8"; empty: 1
};

// Weights of one form compare as texts: "0.8" > "0.75".
bool lighter(std::string_view a, std::string_view b) {
  return (a.empty() ? "1" : a) < (b.empty() ? "1" : b);
}

bool is_refused(std::string_view weight) {
  return !weight.empty() && weight.find_first_not_of("0.") == weight.npos;
}

}  // namespace

const Languages& Languages::built_in() {
  static const Languages all = [] {
    Languages out;
    auto add = [&](std::string_view tag, const Texts* base) {
      auto name = std::string(tag) + ".toml";
      auto texts = Texts::read("web/texts/" + name, std::string(tag), built_in_file(name), base);
      if (!texts) throw std::logic_error(texts.error().message);
      return out.all_.emplace(tag, std::move(*texts)).first->second.get();
    };
    const auto* english = add(first_language, nullptr);
    for (const char* tag : {"de", "fr", "es", "it", "nl", "pl", "pt-BR", "ja", "ar"})
      add(tag, english);
    return out;
  }();
  return all;
}

Result<Languages> Languages::with(const Files& files) {
  Languages out = built_in();
  std::string faults;
  for (const auto& [path, bytes] : files) {
    auto tag = std::filesystem::path(path).stem().string();
    auto known = out.find(tag);
    auto base = known ? known : out.find(first_language);
    auto texts = Texts::read(path, tag, bytes, base.get());
    if (texts)
      out.all_[tag] = std::move(*texts);
    else
      faults += (faults.empty() ? "" : "\n") + texts.error().message;
  }
  if (!faults.empty()) return Error{ErrorCode::invalid_parameter, faults, "texts"};
  return out;
}

std::shared_ptr<const Texts> Languages::find(std::string_view tag) const {
  auto found = all_.find(tag);
  return found == all_.end() ? nullptr : found->second;
}

std::string_view Languages::close_to(std::string_view range) const {
  for (const auto& [tag, texts] : all_)
    if (same(range, tag)) return tag;
  for (const auto& [tag, texts] : all_)
    if (same(first_part(range), tag)) return tag;
  for (const auto& [tag, texts] : all_)
    if (same(first_part(range), first_part(tag))) return tag;
  return {};
}

std::string_view Languages::choose(std::string_view header, std::string_view otherwise) const {
  std::string_view best, weight = "0";
  for (std::size_t count = 0; !header.empty() && count < max_ranges; ++count) {
    auto end = std::min(header.find(','), header.size());
    auto part = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    auto semicolon = std::min(part.find(';'), part.size());
    auto quality = part.find("q=", semicolon);
    Range range{trim(part.substr(0, semicolon)),
                quality == part.npos ? std::string_view() : trim(part.substr(quality + 2))};
    if (range.text.empty() || is_refused(range.weight) || !lighter(weight, range.weight)) continue;
    auto found = range.text == "*" ? otherwise : close_to(range.text);
    if (found.empty()) continue;
    best = found;
    weight = range.weight;
  }
  return best.empty() ? otherwise : best;
}

}  // namespace quire::texts
