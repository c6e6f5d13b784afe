#include "store/dynamodb/items/conditions.h"

#include <fmt/format.h>

namespace quire::dynamodb {

Expression absent() {
  return {"attribute_not_exists(#k)", {{"#k", "PK"}}, {}};
}

Expression has_version(std::uint64_t version) {
  if (version == 0) return absent();
  return {"#v = :v", {{"#v", "version"}}, {{":v", number(version)}}};
}

Expression unchanged(const Item& item, std::span<const std::string> attributes) {
  Expression out;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    std::string name = fmt::format("#{}", static_cast<char>('a' + i));
    std::string value = fmt::format(":{}", static_cast<char>('a' + i));
    if (i > 0) out.text += " AND ";
    out.names[name] = attributes[i];
    auto at = item.find(attributes[i]);
    if (at == item.end()) {
      out.text += "attribute_not_exists(" + name + ")";
    } else {
      out.text.append(name).append(" = ").append(value);
      out.values[value] = at->second;
    }
  }
  return out;
}

}  // namespace quire::dynamodb
