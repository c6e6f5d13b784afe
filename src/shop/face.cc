#include "shop/tables.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <sstream>

#include "base/text.h"
#include "base/web_address.h"
#include "model/validate.h"
#include "shop/colour.h"

namespace quire::shop {
namespace {

constexpr std::size_t max_name = 100;
constexpr std::size_t max_origins = 32;
constexpr std::size_t max_origin_host = 253;
// Browsers take them in hosts. In the header that says who may frame a page they would end its
// line.
constexpr std::string_view not_in_policies = "!\"$&'()*+,;=`{}~";

struct PictureType {
  std::string_view ending, type;
};
constexpr PictureType pictures[] = {{".svg", "image/svg+xml"},
                                    {".png", "image/png"},
                                    {".webp", "image/webp"},
                                    {".jpg", "image/jpeg"},
                                    {".jpeg", "image/jpeg"}};

// Whether the text is an origin (RFC 6454) exactly as a browser sends it: "https://shop.example",
// "http://127.0.0.1:8080". Scheme and host, in small letters, and the port where it is another
// than the scheme's.
bool is_origin(std::string_view text) {
  auto address = parse_web_address(text);
  return address && address->rest.empty() && address->host.size() <= max_origin_host &&
         address->host.find_first_of(not_in_policies) == text.npos;
}

class FaceReader {
 public:
  FaceReader(TomlReader& toml, const toml::table& table, const FileNamed& file, Shop& shop)
      : toml_(toml), table_(table), file_(file), shop_(shop) {}

  void name() {
    auto name = toml_.text(table_, "name");
    if (!name) return;
    auto size = characters(*name, "");
    if (!size || *size > max_name)
      return refuse("name", "name has at most 100 characters, and no control character.");
    shop_.name = std::move(*name);
  }

  void home() {
    auto home = toml_.text(table_, "home");
    if (!home) return;
    if (!parse_web_address(*home))
      return refuse("home",
                    fmt::format("home, such as https://shop.example, is {}.", web_address_wanted));
    shop_.home = std::move(*home);
  }

  void product_url() {
    auto url = toml_.text(table_, "product_url");
    if (!url) return;
    if (url->find(product_place) == url->npos || !parse_web_address(address_for(*url, "x")))
      return refuse("product_url",
                    fmt::format("product_url is an address with {{product}} in it, such as "
                                "https://shop.example/p/{{product}}: {}.",
                                web_address_wanted));
    shop_.product_url = std::move(*url);
  }

  void style() {
    if (auto text = toml_.text(table_, "colour")) {
      auto colour = Colour::parse(*text);
      if (!colour) return refuse("colour", "colour has the form #1a7f5a.");
      auto found = contrast(*colour, light_page);
      if (found < readable)
        return refuse("colour", fmt::format("Texts in this colour cannot be read on white: their "
                                            "contrast is {:.1f}, and 4.5 are needed. Take a darker "
                                            "one.",
                                            found));
      shop_.style = style_of(*colour);
      shop_.embed_style = embed_style_of(*colour);
    }
    if (const auto* file = named("style")) shop_.style += file->bytes;
  }

  void logo() {
    auto name = toml_.text(table_, "logo");
    if (!name) return;
    auto ending = std::filesystem::path(*name).extension().string();
    for (const auto& each : pictures) {
      if (each.ending != ending) continue;
      if (const auto* file = named("logo")) shop_.logo = {each.type, file->bytes};
      return;
    }
    refuse("logo", "logo is a file of type .svg, .png, .webp or .jpg.");
  }

  void lists() {
    auto lists = toml_.text(table_, "lists");
    if (lists && *lists != "public" && *lists != "private")
      return refuse("lists", R"(lists is "private" or "public".)");
    shop_.public_lists = lists == "public";
  }

  void languages(const std::string& folder, std::vector<std::string>& faults) {
    if (const auto* names = named("texts", "/")) {
      texts::Files files;
      std::istringstream lines(names->bytes);
      for (std::string name; std::getline(lines, name);) {
        if (!name.ends_with(".toml")) continue;
        const auto& file =
            file_(*table_.get("texts")->value_exact<std::string>() + "/" + name, false);
        if (file.trouble.empty()) files.emplace(folder + "/" + name, file.bytes);
        if (!file.trouble.empty()) faults.push_back(file.trouble);
      }
      auto languages = texts::Languages::with(files);
      if (!languages) {
        std::istringstream wrong(languages.error().message);
        for (std::string line; std::getline(wrong, line);) faults.push_back(line);
      } else {
        shop_.languages = std::make_shared<const texts::Languages>(std::move(*languages));
      }
    }
    auto tag = toml_.text(table_, "language");
    if (!tag) return;
    const auto& known = shop_.languages ? *shop_.languages : texts::Languages::built_in();
    auto found = known.close_to(*tag);
    if (found.empty() && faults.empty())
      return refuse("language",
                    fmt::format("There are no texts in {0}. Write them into {0}.toml in "
                                "a folder, and name it: texts = \"texts\".",
                                *tag));
    shop_.language = found;
  }

  void zone() {
    auto name = toml_.text(table_, "zone");
    if (!name) return;
    auto zone = Zone::named(*name);
    if (!zone) return refuse("zone", no_zone(*name));
    shop_.zone = std::move(*zone);
  }

  void embed() {
    const auto* node = table_.get("embed");
    if (!node) return;
    const auto* list = node->as_array();
    if (!list || list->size() > max_origins)
      return refuse("embed", R"(embed is a list of at most 32 origins: ["https://shop.example"].)");
    for (const auto& each : *list) {
      auto origin = each.value_exact<std::string>();
      if (origin && is_origin(*origin))
        shop_.embed.push_back(std::move(*origin));
      else
        toml_.refuse(each,
                     "An origin of embed is https:// or http:// and a host in small letters, with "
                     "the port if it is not the usual one, and nothing behind it.");
    }
  }

 private:
  void refuse(std::string_view name, std::string_view sentence) {
    toml_.refuse(*table_.get(name), sentence);
  }

  // The file that a line names; null: there is no such line, or it cannot be read, which is told.
  // `behind`: behind its name, "/" of a folder.
  const FileText* named(std::string_view line, std::string_view behind = {}) {
    auto name = toml_.text(table_, line);
    if (!name) return nullptr;
    const auto& file = file_(name->append(behind), false);
    if (file.trouble.empty()) return &file;
    refuse(line, file.trouble);
    return nullptr;
  }

  TomlReader& toml_;
  const toml::table& table_;
  const FileNamed& file_;
  Shop& shop_;
};

}  // namespace

void read_face(TomlReader& toml, const toml::table& table, const FileNamed& file,
               const std::function<std::string(const std::string&)>& path_of, Shop& shop,
               std::vector<std::string>& faults) {
  toml.expect(table, "[shop]",
              {"name", "logo", "style", "colour", "home", "product_url", "language",
               "visitor_language", "texts", "zone", "embed", "media", "lists"});
  FaceReader reader(toml, table, file, shop);
  reader.name();
  reader.home();
  reader.product_url();
  reader.style();
  reader.logo();
  reader.zone();
  reader.embed();
  reader.lists();
  shop.visitor_language = toml.flag(table, "visitor_language");
  if (const auto* media = table.get("media")) read_media(toml, *media, shop);
  auto folder = toml.text(table, "texts");
  reader.languages(path_of(folder.value_or("")), faults);
}

}  // namespace quire::shop
