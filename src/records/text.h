// Reads the text of a file in UTF-8, whatever its encoding is.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "records/bytes.h"

struct UConverter;  // of ICU

namespace quire::records {

// What becomes of bytes that are no UTF-8 in a file of UTF-8.
enum class Invalid { refused, kept };

class Text {
 public:
  // Whether ICU has an encoding of this name.
  static bool knows(const std::string& encoding);

  // A byte order mark leads, and is left out; then `encoding`, unless it is empty; then the two
  // first characters, if they are UTF-16 of ASCII; then the declaration of XML; then UTF-8.
  Text(Bytes bytes, std::string encoding, Invalid invalid);
  ~Text();
  Text(Text&&) noexcept;

  // The text that follows, valid until the next call, in whole characters if they are checked.
  // Empty at the end, or where the file is at fault; then failed() says how.
  std::string_view next();
  // The beginning of what next() will give: so many bytes or more, or all. Valid until any other
  // call.
  std::string_view head(std::size_t bytes);

  // The first bytes of the file behind a mark: 12 or more, unless it has less.
  std::string_view first_bytes();

  const std::string& failed() const { return failed_; }
  // Whether another encoding in the mapping may help.
  bool wrong_encoding() const { return wrong_encoding_; }
  double part() const { return bytes_.part(); }

 private:
  struct Close {
    void operator()(UConverter* converter) const;
  };
  using Converter = std::unique_ptr<UConverter, Close>;

  static Converter converter_of(const std::string& encoding);
  void begin();
  bool take_mark();
  void take_declaration();
  std::string_view more();
  std::string_view bytes();
  std::string_view checked();
  std::string_view converted();
  void fail(std::string what);
  void fail_near();
  void fail_at(const std::string& place);

  Bytes bytes_;
  std::string encoding_;
  Invalid invalid_;
  bool begun_ = false, marked_ = false, first_taken_ = false, ended_ = false;
  std::string first_;
  std::uint64_t offset_ = 0;  // of the bytes behind those that were taken

  std::string cut_, joined_;  // the beginning of a character, and the text that has all of it

  Converter from_, to_;
  std::string_view source_;
  std::vector<char16_t> pivot_;
  char16_t *pivot_source_ = nullptr, *pivot_target_ = nullptr;
  std::vector<char> target_;

  std::string head_, given_;
  std::string fault_, failed_;  // failed_: once all before the fault is given
  bool wrong_encoding_ = false;
};

}  // namespace quire::records
