// The pictures of the demo's products, which this program draws.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quire::http {

// With this begin the addresses of pictures in the demo's comments and facts. A server with --demo
// has them itself; nobody else has.
inline constexpr std::string_view demo_pictures = "https://demo.quire.example/";

// The SVG of "rain-jacket.svg", or of "rain-jacket-2.svg" as a customer's photo may show it.
// Absent: the demo has no such product.
std::optional<std::string> demo_picture(std::string_view name);

}  // namespace quire::http
