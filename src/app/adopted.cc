#include "app/adopted.h"

#include <fmt/format.h>

#include "base/whole_file.h"
#include "loop/wait.h"

namespace quire {
namespace {

constexpr std::size_t max_bytes = 1 << 20;

Result<std::string> read_mapping(const std::string& path) {
  auto text = read_whole("the mapping", path, max_bytes);
  if (text && !text->empty()) return text;
  auto why = text ? fmt::format("The mapping {} is empty.", path) : text.error().message;
  return Error{ErrorCode::invalid_parameter, why + " quire table map prints a first one.", "store"};
}

}  // namespace

bool is_adopted(const std::string& address) {
  auto parsed = dynamodb::parse_address(address, "any");
  return parsed && !parsed->map.empty();
}

Result<adopted::Mapping> mapping_of(const dynamodb::Address& address) {
  auto text = read_mapping(address.map);
  if (!text) return text.error();
  return adopted::parse_mapping(*text, address.map);
}

Result<AdoptedParts> open_adopted(const dynamodb::Address& address, bool beside) {
  auto mapping = mapping_of(address);
  if (!mapping) return mapping.error();
  auto access = std::make_unique<dynamodb::TableAccess>(address);
  auto table = wait(adopted::describe(*access, std::move(*mapping), beside));
  if (!table) return table.error();
  return AdoptedParts{std::move(access), std::move(*table)};
}

}  // namespace quire
