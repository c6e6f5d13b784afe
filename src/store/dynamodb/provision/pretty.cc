#include "store/dynamodb/provision/pretty.h"

#include <boost/json.hpp>

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

void write(std::string& out, const json::value& value, const std::string& margin);

// One member or element per line.
void write_parts(std::string& out, const json::object& object, const std::string& margin) {
  for (const auto& each : object) {
    out += (&each == object.begin() ? "\n" : ",\n") + margin;
    out += json::serialize(each.key()) + ": ";
    write(out, each.value(), margin);
  }
}

void write_parts(std::string& out, const json::array& array, const std::string& margin) {
  for (const auto& each : array) {
    out += (&each == array.begin() ? "\n" : ",\n") + margin;
    write(out, each, margin);
  }
}

// A value that fits into a line stays in one.
void write(std::string& out, const json::value& value, const std::string& margin) {
  auto line = json::serialize(value);
  bool fits = margin.size() + line.size() <= 80;
  if (auto* object = value.if_object(); object && !fits) {
    out += "{";
    write_parts(out, *object, margin + "  ");
    out += "\n" + margin + "}";
  } else if (auto* array = value.if_array(); array && !fits) {
    out += "[";
    write_parts(out, *array, margin + "  ");
    out += "\n" + margin + "]";
  } else {
    out += line;
  }
}

}  // namespace

std::string pretty(const json::value& value) {
  std::string out;
  write(out, value, "");
  return out + "\n";
}

}  // namespace quire::dynamodb
