#include "records/text.h"

#include <fmt/core.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace quire::records {
namespace {

constexpr std::size_t first_size = 16;  // tells a mark and other kinds of files
constexpr std::size_t declaration_size = 256;
constexpr std::size_t buffer_size = 1 << 16;

struct Mark {
  std::string_view bytes;
  const char* encoding;
};

using namespace std::string_view_literals;
constexpr Mark marks[] = {{"\xEF\xBB\xBF"sv, "UTF-8"},
                          {"\xFF\xFE\0\0"sv, "UTF-32LE"},
                          {"\0\0\xFE\xFF"sv, "UTF-32BE"},
                          {"\xFF\xFE"sv, "UTF-16LE"},
                          {"\xFE\xFF"sv, "UTF-16BE"}};

// The encoding of a text that begins with two characters of ASCII in four bytes. Empty: none.
std::string without_mark(std::string_view bytes) {
  if (bytes.size() < 4) return {};
  bool zero[4];
  for (std::size_t i = 0; i < 4; ++i) zero[i] = bytes[i] == '\0';
  if (!zero[0] && zero[1] && !zero[2] && zero[3]) return "UTF-16LE";
  if (zero[0] && !zero[1] && zero[2] && !zero[3]) return "UTF-16BE";
  return {};
}

// Empty: there is none.
std::string declared_encoding(std::string_view text) {
  text = text.substr(0, text.find("?>"));
  auto at = text.find("encoding");
  if (!text.starts_with("<?xml") || at == text.npos) return {};
  auto quote = text.find_first_of("\"'", at);
  if (quote == text.npos) return {};
  auto end = text.find(text[quote], quote + 1);
  return end == text.npos ? std::string() : std::string(text.substr(quote + 1, end - quote - 1));
}

// The index of the first byte from `at` on that is no ASCII.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  for (std::uint64_t eight; at + sizeof eight <= text.size(); at += sizeof eight) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if (eight & high_bits) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

struct Characters {
  std::size_t size;  // in bytes, of those that are whole
  bool wrong;        // what follows is no beginning of a character
};

Characters whole_characters(std::string_view text) {
  for (std::size_t i = 0; (i = skip_ascii(text, i)) < text.size();) {
    auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0xC2 || byte > 0xF4) return {i, true};
    std::size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    // Neither longer than needed, nor a surrogate, nor above the last character.
    unsigned char low = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    unsigned char high = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    for (std::size_t k = 1; k < length; ++k, low = 0x80, high = 0xBF) {
      if (i + k == text.size()) return {i, false};
      auto next = static_cast<unsigned char>(text[i + k]);
      if (next < low || next > high) return {i, true};
    }
    i += length;
  }
  return {text.size(), false};
}

}  // namespace

void Text::Close::operator()(UConverter* converter) const {
  ucnv_close(converter);
}

// Null: ICU has none of this name.
Text::Converter Text::converter_of(const std::string& encoding) {
  UErrorCode code = U_ZERO_ERROR;
  Converter converter(ucnv_open(encoding.c_str(), &code));
  if (!converter) return {};
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &code);
  if (U_FAILURE(code)) throw std::bad_alloc();
  return converter;
}

bool Text::knows(const std::string& encoding) {
  return converter_of(encoding) != nullptr;
}

Text::Text(Bytes bytes, std::string encoding, Invalid invalid)
    : bytes_(std::move(bytes)), encoding_(std::move(encoding)), invalid_(invalid) {}
Text::~Text() = default;
Text::Text(Text&&) noexcept = default;

void Text::begin() {
  begun_ = true;
  auto read_up_to = [this](std::size_t size) {
    while (first_.size() < size) {
      auto piece = bytes_.next();
      if (piece.empty()) break;
      first_ += piece;
    }
  };
  read_up_to(first_size);
  if (!take_mark() && encoding_.empty()) {
    encoding_ = without_mark(first_);
    if (encoding_.empty() && first_.starts_with("<?xm")) {
      read_up_to(declaration_size);
      take_declaration();
    }
  }
  if (encoding_.empty()) encoding_ = "UTF-8";
  if (ucnv_compareNames(encoding_.c_str(), "UTF-8") == 0) return;
  from_ = converter_of(encoding_);
  to_ = converter_of("UTF-8");
  if (!from_) {
    wrong_encoding_ = true;
    return fail(fmt::format("nothing is known of its encoding, {}", encoding_));
  }
  pivot_.resize(buffer_size);
  pivot_source_ = pivot_target_ = pivot_.data();
  target_.resize(buffer_size);
}

bool Text::take_mark() {
  for (const auto& [mark, encoding] : marks) {
    if (!first_.starts_with(mark)) continue;
    first_.erase(0, mark.size());
    offset_ = mark.size();
    encoding_ = encoding;
    return marked_ = true;
  }
  return false;
}

void Text::take_declaration() {
  auto declared = declared_encoding(std::string_view(first_).substr(0, declaration_size));
  auto converter = declared.empty() ? nullptr : converter_of(declared);
  // The declaration was read as ASCII, so an encoding of more bytes a character is not the file's.
  if (!converter || ucnv_getMinCharSize(converter.get()) == 1) encoding_ = declared;
}

std::string_view Text::next() {
  if (head_.empty()) {
    auto piece = more();
    if (piece.empty()) failed_ = fault_;
    return piece;
  }
  given_ = std::exchange(head_, {});
  return given_;
}

std::string_view Text::head(std::size_t bytes) {
  while (head_.size() < bytes) {
    auto piece = more();
    if (piece.empty()) break;
    head_ += piece;
  }
  return head_;
}

std::string_view Text::first_bytes() {
  if (!begun_) begin();
  return std::string_view(first_).substr(0, first_size);
}

std::string_view Text::more() {
  if (!begun_) begin();
  if (!fault_.empty()) return {};
  return from_ ? converted() : checked();
}

std::string_view Text::bytes() {
  if (!std::exchange(first_taken_, true) && !first_.empty()) return first_;
  auto piece = bytes_.next();
  if (piece.empty()) fault_ = bytes_.failed();
  return piece;
}

// In whole characters of UTF-8: one that is cut waits for its rest.
std::string_view Text::checked() {
  for (;;) {
    auto piece = bytes();
    if (invalid_ == Invalid::kept || !fault_.empty()) return piece;
    bool last = piece.empty();
    if (!cut_.empty()) piece = joined_ = std::exchange(cut_, {}).append(piece);
    auto [size, wrong] = whole_characters(piece);
    if (wrong || (last && size < piece.size()))
      fail_at(fmt::format("the byte {:02X} at offset {} is",
                          static_cast<unsigned char>(piece[size]), offset_ + size));
    else
      cut_ = piece.substr(size);
    offset_ += size;
    if (size > 0 || last || !fault_.empty()) return piece.substr(0, size);
  }
}

std::string_view Text::converted() {
  while (!ended_ && fault_.empty()) {
    if (source_.empty()) source_ = bytes();
    if (!fault_.empty()) break;
    bool last = source_.empty();
    const char* begin = last ? "" : source_.data();
    const char* source = begin;
    char* target = target_.data();
    char* const target_end = target + target_.size();
    UErrorCode code = U_ZERO_ERROR;
    ucnv_convertEx(to_.get(), from_.get(), &target, target_end, &source, source + source_.size(),
                   pivot_.data(), &pivot_source_, &pivot_target_, pivot_.data() + pivot_.size(),
                   false, last, &code);
    source_.remove_prefix(static_cast<std::size_t>(source - begin));
    offset_ += static_cast<std::uint64_t>(source - begin);
    ended_ = last && U_SUCCESS(code);
    if (U_FAILURE(code) && code != U_BUFFER_OVERFLOW_ERROR) {
      fail_near();
      const char16_t* before = pivot_source_;
      code = U_ZERO_ERROR;
      ucnv_fromUnicode(to_.get(), &target, target_end, &before, pivot_target_, nullptr, true,
                       &code);
    }
    if (target != target_.data())
      return {target_.data(), static_cast<std::size_t>(target - target_.data())};
  }
  return {};
}

// ICU may have taken bytes behind those that are none, so the offset is not exact.
void Text::fail_near() {
  char bytes[32];
  std::int8_t size = sizeof bytes;
  UErrorCode code = U_ZERO_ERROR;
  ucnv_getInvalidChars(from_.get(), bytes, &size, &code);
  if (U_FAILURE(code)) size = 0;
  auto shown = std::string();
  for (int i = 0; i < size; ++i)
    shown += fmt::format("{:02X} ", static_cast<unsigned char>(bytes[i]));
  fail_at(fmt::format("the bytes {}near offset {} are", shown,
                      offset_ - static_cast<std::uint64_t>(size)));
}

void Text::fail_at(const std::string& place) {
  wrong_encoding_ = !marked_;
  fail(fmt::format("{} no {}{}", place, encoding_, marked_ ? ", which its first bytes name" : ""));
}

void Text::fail(std::string what) {
  if (fault_.empty()) fault_ = std::move(what);
}

}  // namespace quire::records
