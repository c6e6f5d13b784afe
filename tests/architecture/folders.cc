#include "architecture/folders.h"

#include <functional>
#include <sstream>

#include "architecture/includes.h"

namespace quire {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    auto end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + separator.size();
  }
  return parts;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line.substr(0, line.find('#')) + "\n";
  return text;
}

// The words between the brackets of each call of `command`.
std::vector<std::vector<std::string>> calls(const std::string& text, const std::string& command) {
  std::vector<std::vector<std::string>> found;
  for (auto at = text.find("\n" + command + "("); at != text.npos;
       at = text.find("\n" + command + "(", at + 1)) {
    auto begin = at + command.size() + 2;
    std::istringstream words(text.substr(begin, text.find(')', begin) - begin));
    auto& call = found.emplace_back();
    for (std::string word; words >> word;) call.push_back(word);
  }
  return found;
}

bool begins_definition(const std::string& line) {
  if (line.empty() || !std::isalpha(static_cast<unsigned char>(line[0]))) return false;
  for (std::string_view other : {"namespace", "class", "struct", "enum", "union", "using"}) {
    if (line.starts_with(other)) return false;
  }
  // A constant, unless it is a function that returns one.
  return !line.starts_with("const") || line.ends_with(") {");
}

// Whether a definition that began at `begin` needs no brace at the margin to end.
bool ends_in_line(const std::string& line, bool first) {
  return line.ends_with(";") || line.ends_with("{}") || (first && line.ends_with("}"));
}

}  // namespace

std::string folder_of(std::string_view path) {
  if (path.starts_with("src/")) path.remove_prefix(4);
  auto end = path.rfind('/');
  return end == path.npos ? "" : std::string(path.substr(0, end));
}

Arrows includes_among(const std::vector<SourceFile>& files) {
  Arrows arrows;
  for (const auto& file : files) {
    auto from = folder_of(file.path);
    if (from.empty()) continue;
    for (const auto& include : includes_of(file)) {
      if (!include.quoted || include.name.starts_with("quire/")) continue;
      auto to = folder_of(include.name);
      if (to != from) arrows[from].insert(to);
    }
  }
  return arrows;
}

Arrows links_of(const SourceFile& list) {
  Arrows arrows;
  std::map<std::string, std::string> folders;  // by library
  auto text = joined(list.lines);
  auto made = calls(text, "quire_library");
  for (auto& call : calls(text, "quire_awaitable_library")) made.push_back(std::move(call));
  for (const auto& call : made) {
    std::string library = "quire_" + call.front();
    std::replace(library.begin(), library.end(), '/', '_');
    folders[library] = call.front();
  }
  for (auto& call : calls(text, "target_link_libraries")) {
    if (!folders.contains(call.front())) continue;
    call.front() = folders[call.front()];
    made.push_back(std::move(call));
  }
  for (const auto& call : made) {
    for (const auto& word : call) {
      if (folders.contains(word)) arrows[call.front()].insert(folders[word]);
    }
  }
  return arrows;
}

Arrows closure(const Arrows& arrows) {
  Arrows all = arrows;
  for (bool grew = true; grew;) {
    grew = false;
    for (auto& [from, reached] : all) {
      auto before = reached.size();
      for (const auto& to : std::set<std::string>(reached)) {
        if (all.contains(to)) reached.insert(all.at(to).begin(), all.at(to).end());
      }
      grew = grew || reached.size() != before;
    }
  }
  return all;
}

std::string circle(const Arrows& arrows) {
  std::set<std::string> done;
  std::vector<std::string> way;
  std::function<std::string(const std::string&)> walk = [&](const std::string& at) -> std::string {
    auto seen = std::find(way.begin(), way.end(), at);
    if (seen != way.end()) {
      std::string text;
      for (; seen != way.end(); ++seen) text += *seen + " > ";
      return text + at;
    }
    if (done.contains(at) || !arrows.contains(at)) return {};
    way.push_back(at);
    for (const auto& next : arrows.at(at)) {
      if (auto found = walk(next); !found.empty()) return found;
    }
    way.pop_back();
    done.insert(at);
    return {};
  };
  for (const auto& [from, to] : arrows) {
    if (auto found = walk(from); !found.empty()) return found;
  }
  return {};
}

std::set<std::string> namespaces_of(const SourceFile& file) {
  std::set<std::string> found;
  for (const auto& line : file.lines) {
    if (!line.starts_with("namespace quire")) continue;
    auto name = line.substr(10, line.find_first_of(" {", 10) - 10);
    if (line.find('=') == line.npos) found.insert(name);
  }
  return found;
}

bool fits(std::string_view space, std::string_view folder) {
  auto names = split(space, "::");
  auto parts = split(folder, "/");
  if (names.front() != "quire") return false;
  auto part = parts.begin();
  for (std::size_t i = 1; i < names.size(); ++i, ++part) {
    part = std::find(part, parts.end(), names[i]);
    if (part == parts.end()) return false;
  }
  return true;
}

std::vector<Function> functions_of(const SourceFile& file) {
  std::vector<Function> found;
  std::size_t begin = 0;  // line of the definition that has begun; 0: none has
  bool open = false;      // its brace has opened
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const auto& line = file.lines[i];
    if (begin == 0 && begins_definition(line)) {
      begin = i + 1;
      open = false;
    }
    if (begin == 0) continue;
    if (open && line.starts_with("}")) {
      found.push_back({begin, i + 2 - begin});
      begin = 0;
    } else if (!open && ends_in_line(line, i + 1 == begin)) {
      begin = 0;
    }
    open = open || line.ends_with("{");
  }
  return found;
}

}  // namespace quire
