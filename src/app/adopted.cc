#include "app/adopted.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "loop/wait.h"

namespace quire {
namespace {

constexpr std::size_t max_bytes = 1 << 20;

Result<std::string> read_mapping(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(max_bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  bool read = in.eof() && in.gcount() > 0;
  if (!read) {
    return Error{
        ErrorCode::invalid_parameter,
        fmt::format("Cannot read the mapping {}: {}. quire table map prints a first one.", path,
                    in.is_open() ? "it is empty, or over 1 MiB" : std::strerror(errno)),
        "store"};
  }
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace

bool is_adopted(const std::string& address) {
  auto parsed = dynamodb::parse_address(address, "any");
  return parsed && !parsed->map.empty();
}

Result<AdoptedParts> open_adopted(const dynamodb::Address& address, bool beside) {
  auto text = read_mapping(address.map);
  if (!text) return text.error();
  auto mapping = adopted::parse_mapping(*text, address.map);
  if (!mapping) return mapping.error();
  auto access = std::make_unique<dynamodb::TableAccess>(address);
  auto table = wait(adopted::describe(*access, std::move(*mapping), beside));
  if (!table) return table.error();
  return AdoptedParts{std::move(access), std::move(*table)};
}

}  // namespace quire
