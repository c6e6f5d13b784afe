// Headers for requests, and random mutations of text.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/message.h"

namespace quire::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

inline boost::beast::http::fields fields(const Headers& headers) {
  boost::beast::http::fields out;
  for (const auto& [name, value] : headers) out.insert(name, value);
  return out;
}

// The text after up to four random changes: bytes removed, doubled, inserted or replaced. Most new
// bytes are from `special`.
inline std::string mutated(std::string text, std::string_view special, std::mt19937& random) {
  auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (std::size_t left = below(5); left > 0; --left) {
    auto at = below(text.size() + 1);
    auto length = below(8);
    char byte = below(4) > 0 ? special[below(special.size())] : static_cast<char>(below(256));
    switch (below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, std::string(text, at, length));
        break;
      case 2:
        text.insert(at, 1, byte);
        break;
      default:
        if (at < text.size()) text[at] = byte;
    }
  }
  return text;
}

}  // namespace quire::http
