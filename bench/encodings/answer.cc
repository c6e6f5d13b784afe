#include "answer.h"

#include <boost/json.hpp>
#include <cmath>

#include "dynamodb/calls.h"
#include "packing.h"

namespace quire::bench {
namespace {

namespace json = boost::json;

constexpr std::string_view comment_prefix = "COMMENT#";

// All attributes but `data`.
dynamodb::Item keys_and_facets(const List& list, const Comment& comment) {
  auto id = comment.id.text();
  auto key = std::string(comment_prefix) + id;
  return {{"PK", dynamodb::string(key)},
          {"SK", dynamodb::string(key)},
          {list.name, dynamodb::string(list.key)},
          {"GSISK", dynamodb::string(id)},
          {"language", dynamodb::string(comment.language)},
          {"rating", dynamodb::number(static_cast<std::uint64_t>(comment.rating))}};
}

// Binary values stand under "S" too: "B" is as long, and the same code reads it.
dynamodb::Item item_of(const Form& form, const List& list, const Comment& comment) {
  auto item = keys_and_facets(list, comment);
  auto data = form.encode(comment);
  item.emplace("data", dynamodb::string(form.binary ? base64(data) : std::move(data)));
  return item;
}

// A number takes a byte for each two digits, and one more.
std::size_t billed(const dynamodb::Attribute& attribute) {
  auto size = attribute.text.size();
  return attribute.type == dynamodb::Type::number ? (size + 1) / 2 + 1 : size;
}

}  // namespace

std::size_t entry_bytes(const Form& form, const List& list, const Comment& comment) {
  auto size = std::string_view("data").size() + form.encode(comment).size();
  for (const auto& [name, attribute] : keys_and_facets(list, comment))
    size += name.size() + billed(attribute);
  return size;
}

double read_units(const Form& form, const List& list) {
  std::size_t size = 0;
  for (const auto& comment : list.newest) size += entry_bytes(form, list, comment);
  return 0.5 * std::ceil(static_cast<double>(size) / 4096);
}

std::string answer(const Form& form, const List& list) {
  json::array items;
  for (const auto& comment : list.newest)
    items.push_back(dynamodb::encode(item_of(form, list, comment)));
  auto count = items.size();
  return json::serialize(
      json::object{{"Items", std::move(items)},
                   {"Count", count},
                   {"ScannedCount", count},
                   {"ConsumedCapacity", {{"TableName", "comments"}, {"CapacityUnits", 1.5}}}});
}

std::vector<Comment> read_answer(const Form& form, std::string_view body,
                                 const std::string& product) {
  std::vector<Comment> comments;
  auto page = dynamodb::decode_page(body).value();
  for (const auto& item : page.items) {
    auto text = [&](std::string_view name) { return dynamodb::text_of(item, name).value(); };
    Comment comment;
    comment.id = Ulid::parse(text("SK").substr(comment_prefix.size())).value();
    comment.product = product;
    comment.language = text("language");
    comment.rating = static_cast<int>(dynamodb::number_of(item, "rating").value());
    if (form.binary) {
      form.decode(unbase64(text("data")), comment);
    } else {
      form.decode(text("data"), comment);
    }
    comments.push_back(std::move(comment));
  }
  return comments;
}

}  // namespace quire::bench
