#include "forms.h"

#include <array>
#include <boost/json.hpp>
#include <stdexcept>

#include "data.pb.h"
#include "model/document.h"
#include "packing.h"

namespace quire::bench {
namespace {

namespace json = boost::json;

std::string to_json(const Comment& comment) {
  return json::serialize(
      json::object{{"author", comment.author}, {"title", comment.title}, {"text", comment.text}});
}

void from_json(std::string_view data, Comment& out) {
  auto value = json::parse(data);
  const auto& object = value.as_object();
  out.author = object.at("author").as_string();
  out.title = object.at("title").as_string();
  out.text = object.at("text").as_string();
}

std::string to_answer(const Comment& comment) {
  return std::string(document_json(encode_document(comment)));
}

// The same without names.
std::string to_array(const Comment& comment) {
  return json::serialize(json::array{comment.author, comment.title, comment.text});
}

void from_array(std::string_view data, Comment& out) {
  auto value = json::parse(data);
  const auto& array = value.as_array();
  out.author = array.at(0).as_string();
  out.title = array.at(1).as_string();
  out.text = array.at(2).as_string();
}

std::string to_protobuf(const Comment& comment) {
  proto::Data data;
  data.set_author(comment.author);
  data.set_title(comment.title);
  data.set_text(comment.text);
  return data.SerializeAsString();
}

void from_protobuf(std::string_view bytes, Comment& out) {
  proto::Data data;
  if (!data.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    throw std::runtime_error("protobuf cannot read what it wrote");
  out.author = std::move(*data.mutable_author());
  out.title = std::move(*data.mutable_title());
  out.text = std::move(*data.mutable_text());
}

template <auto encode>
std::string zip(const Comment& comment) {
  return zipped(encode(comment));
}

template <auto decode>
void unzip(std::string_view data, Comment& out) {
  decode(unzipped(data), out);
}

constexpr std::array<Form, 6> table = {{
    {"JSON", false, to_json, from_json},
    {"answer JSON", false, to_answer, from_json},
    {"JSON array", false, to_array, from_array},
    {"protobuf", true, to_protobuf, from_protobuf},
    {"JSON, zlib", true, zip<to_json>, unzip<from_json>},
    {"protobuf, zlib", true, zip<to_protobuf>, unzip<from_protobuf>},
}};

}  // namespace

std::span<const Form> forms() {
  return table;
}

}  // namespace quire::bench
