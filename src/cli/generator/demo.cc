#include "cli/generator/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include "cli/generator/generator.h"
#include "http/demo/pictures.h"

namespace quire::cli {
namespace {

struct DemoProduct {
  std::string_view id, name, brand;
  bool has_sizes;
};
constexpr DemoProduct products[] = {{"trail-shoe", "Ridge trail running shoe", "Fernwell", true},
                                    {"rain-jacket", "Harbour rain jacket", "Northline", true},
                                    {"merino-shirt", "Merino T-shirt", "Fernwell", true},
                                    {"backpack", "Day backpack, 24 litres", "Northline", false},
                                    {"headlamp", "Headlamp 400", "Lumo", false},
                                    {"tent", "Two-person tent", "Campo", false},
                                    {"enamel-mug", "Enamel mug", "Campo", false},
                                    {"wool-socks", "Hiking socks, two pairs", "Fernwell", true}};

// A comment that waits for a moderator.
struct Waiting {
  std::string_view product, language;
  int rating;
  std::string_view author, title, text, rule;
};
constexpr Waiting waiting[] = {
    {"rain-jacket", "en", 5, "DealFinder", "Cheaper elsewhere",
     "Same jacket for half the price at https://deals.example/jackets, use my code.", "links"},
    {"trail-shoe", "en", 4, "Priya", "Great grip, see my route",
     "Wore them on wet rock and never slipped. The route is at www.trails.example/ridge.", "links"},
    {"tent", "de", 2, "Jonas", "Undicht nach einer Nacht",
     "Nach dem ersten Regen war der Boden nass. Fotos auf https://bilder.example/zelt.", "links"},
    {"headlamp", "en", 5, "crypto_king", "Win big",
     "Nice lamp. But have you tried the casino at casino.example/bonus?", "links"},
    {"backpack", "en", 1, "Sam", "Ask for Kevin",
     "The man in the shop was rude. His number is on kevin.example/phone.", "links"},
    {"enamel-mug", "fr", 5, "Chloé", "Ma tasse préférée",
     "Elle va partout avec moi. Recette du thé : https://the.example/menthe.", "links"},
    {"merino-shirt", "ja", 5, "山田", "毎日着ています",
     "洗濯しても縮みません。写真は https://shashin.example/merino にあります。", "links"},
    {"wool-socks", "ar", 4, "أحمد", "دافئة ومريحة",
     "مناسبة للمشي الطويل. الصور على https://suwar.example/socks.", "links"},
    {"trail-shoe", "en", 3, "Omar", "Runs small",
     "Take one size more. My measurements are in the table at https://sizes.example/omar.",
     "links"},
    {"tent", "en", 5, "Greta", "Three summers and still dry",
     "Pitched it in ten minutes. A film of how: https://films.example/pitch.", "links"}};

struct Complaint {
  std::string_view reason, note, name, mail;
};
constexpr Complaint complaints[] = {
    {"fake", "This person never had one: the size does not exist.", "", ""},
    {"unlawful", "The review says that I cheat my customers. That is not true.", "Ann Smith",
     "ann@example.com"},
    {"off_topic", "This is about the parcel, not about the product.", "", ""}};

constexpr std::uint64_t day_ms = 24 * 60 * 60 * 1000;

std::string picture_of(std::string_view product, std::size_t view = 0) {
  return view == 0 ? fmt::format("{}{}.svg", http::demo_pictures, product)
                   : fmt::format("{}{}-{}.svg", http::demo_pictures, product, view);
}

const DemoProduct& product_of(std::string_view id) {
  return *std::find_if(std::begin(products), std::end(products),
                       [&](const DemoProduct& each) { return each.id == id; });
}

// What the generator leaves to a shop: a picture by some who are content, a reply to some who are
// not.
void furnish(Comment& comment, std::size_t number) {
  const auto& product = product_of(comment.product);
  if (!product.has_sizes) comment.attributes.erase("size");
  if (comment.rating >= 4 && number % 9 == 0)
    for (std::size_t view = 1 + number % 3, end = view + 1 + number % 2; view < end; ++view)
      comment.media.push_back(
          {picture_of(comment.product, view), 480, 480, std::string(product.name)});
  if (comment.rating <= 2 && comment.language == "en" && number % 2 == 0)
    comment.reply = Reply{"Mia of Field & Stream",
                          "We are sorry to hear that. Please bring it to one of our shops or write "
                          "to us: we repair it, or send you another one.",
                          comment.created_ms() + 2 * day_ms};
}

Comment comment_of(const Waiting& row, std::uint64_t ms, std::uint8_t number) {
  Comment comment{.id = Ulid::make(ms, {number})};
  comment.product = row.product;
  comment.language = row.language;
  comment.rating = row.rating;
  comment.author = row.author;
  comment.title = row.title;
  comment.text = row.text;
  comment.moderation = held({}, row.rule, ms);
  return comment;
}

// Three of the newest English comments that are bad have been reported.
std::vector<ReportRow> reports_on(const std::vector<Comment>& comments) {
  std::vector<ReportRow> out;
  for (auto at = comments.rbegin(); at != comments.rend() && out.size() < std::size(complaints);
       ++at) {
    if (at->rating > 2 || at->language != "en" || !at->published() || at->text.empty()) continue;
    auto number = out.size();
    const auto& [reason, note, name, mail] = complaints[number];
    Report report{{static_cast<std::uint8_t>(number + 1)},
                  at->created_ms() + day_ms,
                  std::string(reason),
                  std::string(note)};
    report.contact.name = name;
    report.contact.mail = mail;
    out.push_back({at->id, std::move(report)});
  }
  return out;
}

}  // namespace

Demo make_demo() {
  Demo demo{.facets = generated_facets()};
  for (auto name : {"has_media", "replied"}) demo.facets.push_back({name, FacetType::flag});
  for (const auto& [id, name, brand, has_sizes] : products)
    demo.products.push_back(
        {std::string(id),
         {.name = std::string(name), .image = picture_of(id), .brand = std::string(brand)}});
  Generator generator(
      {.comments = 6000, .products = std::size(products), .seed = 8, .attributes = true});
  constexpr std::string_view prefix = "product-";
  while (auto comment = generator.next()) {
    auto number = std::stoul(comment->product.substr(prefix.size()));
    comment->product = products[number - 1].id;
    furnish(*comment, demo.comments.size());
    demo.comments.push_back(std::move(*comment));
  }
  demo.reports = reports_on(demo.comments);
  auto ms = demo.comments.back().created_ms();
  for (const auto& row : waiting)
    demo.comments.push_back(
        comment_of(row, ms += day_ms / 8, static_cast<std::uint8_t>(demo.comments.size())));
  return demo;
}

const char* const demo_shop = R"(
[shop]
name = "Field & Stream"
media = ["demo.quire.example"]

[writing]
who = "anyone"
fields = ["size", "tags"]

[moderation]
hold = "rules"
links = true
reports = 3
)";

}  // namespace quire::cli
