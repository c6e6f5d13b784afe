// Cursors into 1 to 20 lists: a LastEvaluatedKey for each list, as the articles on the subject keep
// them, and Quire's cursor.
#include <boost/json.hpp>
#include <stdexcept>

#include "base/base64.h"
#include "cursor.pb.h"
#include "cursor/cursor.h"
#include "dynamodb/item.h"
#include "measure.h"
#include "packing.h"

namespace quire::bench {
namespace {

namespace json = boost::json;

// Where one list's query ended.
struct Place {
  std::string list;
  std::string id;
};

// The ends of lists of the finest index, as a union reads them: each list ends one comment after
// the one before.
std::vector<Place> places(const List& product, std::size_t lists) {
  constexpr const char* languages[] = {"en", "de", "fr", "es"};
  std::vector<Place> places;
  for (std::size_t i = 0; i < lists; ++i) {
    auto list = cell(languages[i / 5], static_cast<int>(5 - i % 5));
    const auto& comment = product.newest[i];
    places.push_back({list_key(comment.product, list), comment.id.text()});
  }
  return places;
}

std::string as_json(const std::vector<Place>& places) {
  json::object lists;
  for (const auto& [list, id] : places) {
    lists[list] = dynamodb::encode({{"PK", dynamodb::string("COMMENT#" + id)},
                                    {"SK", dynamodb::string("COMMENT#" + id)},
                                    {"GSIPK", dynamodb::string(list)},
                                    {"GSISK", dynamodb::string(id)}});
  }
  return json::serialize(lists);
}

std::string as_protobuf(const std::vector<Place>& places) {
  proto::Cursor cursor;
  for (const auto& [list, id] : places) {
    auto& place = *cursor.add_places();
    place.set_list(list);
    auto& key = *place.mutable_key();
    key.set_pk("COMMENT#" + id);
    key.set_sk("COMMENT#" + id);
    key.set_gsi_pk(list);
    key.set_gsi_sk(id);
  }
  return cursor.SerializeAsString();
}

double characters(const std::string& bytes) {
  auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return static_cast<double>(base64url_encode({begin, bytes.size()}).size());
}

}  // namespace

std::vector<CursorFigures> measure_cursors(const std::vector<Comment>& comments) {
  auto products = lists_of(indexes[0], comments, page_rows);
  std::erase_if(products, [](const List& list) { return list.newest.size() < page_rows; });
  if (products.empty()) throw std::runtime_error("no product has 20 comments");
  auto share = 1 / static_cast<double>(products.size());
  Seal seal({Seal::Key{}});
  std::vector<CursorFigures> figures;
  for (std::size_t lists = 1; lists <= page_rows; ++lists) {
    CursorFigures sizes{.lists = lists};
    for (const auto& product : products) {
      auto found = places(product, lists);
      auto text = as_json(found), bytes = as_protobuf(found);
      sizes.json += share * characters(text);
      sizes.json_zipped += share * characters(zipped(text));
      sizes.protobuf += share * characters(bytes);
      sizes.protobuf_zipped += share * characters(zipped(bytes));
      sizes.ours += share * static_cast<double>(
                                seal.seal({.position = {product.newest[lists - 1].id}}).size());
    }
    figures.push_back(sizes);
  }
  return figures;
}

}  // namespace quire::bench
