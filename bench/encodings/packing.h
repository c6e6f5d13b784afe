// Compression, and bytes as text.
#pragma once

#include <string>
#include <string_view>

namespace quire::bench {

// By zlib, at its usual level.
std::string zipped(std::string_view bytes);
std::string unzipped(std::string_view bytes);

// With padding, as DynamoDB writes binary attributes in its JSON.
std::string base64(std::string_view bytes);
std::string unbase64(std::string_view text);

}  // namespace quire::bench
