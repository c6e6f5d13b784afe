#include "packing.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <stdexcept>

namespace quire::bench {
namespace {

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
unsigned char* raw(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

}  // namespace

std::string zipped(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress(raw(out), &size, raw(bytes), bytes.size()) != Z_OK)
    throw std::runtime_error("zlib cannot compress");
  out.resize(size);
  return out;
}

std::string unzipped(std::string_view bytes) {
  // The size is not kept; the text is mostly at most four times as long.
  for (std::string out(4 * bytes.size(), '\0');; out.resize(2 * out.size())) {
    uLongf size = out.size();
    int code = uncompress(raw(out), &size, raw(bytes), bytes.size());
    if (code == Z_BUF_ERROR) continue;
    if (code != Z_OK) throw std::runtime_error("zlib cannot read what it wrote");
    out.resize(size);
    return out;
  }
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // a zero is written behind it
  EVP_EncodeBlock(raw(out), raw(bytes), static_cast<int>(bytes.size()));
  out.pop_back();
  return out;
}

std::string unbase64(std::string_view text) {
  std::string out(text.size() / 4 * 3, '\0');
  if (EVP_DecodeBlock(raw(out), raw(text), static_cast<int>(text.size())) < 0)
    throw std::runtime_error("this is not base64");
  // Padding is decoded to zeros.
  for (; text.ends_with('='); text.remove_suffix(1)) out.pop_back();
  return out;
}

}  // namespace quire::bench
