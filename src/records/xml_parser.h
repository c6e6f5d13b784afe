// Parses XML piece by piece, and loads and expands nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quire/result.h"

struct _xmlParserCtxt;  // of libxml2

namespace quire::records {

// What a document has, in its order. Names are local: namespaces and prefixes are left out. They
// live as long as the parser.
class XmlEvents {
 public:
  using Attributes = std::vector<std::pair<std::string_view, std::string>>;

  virtual ~XmlEvents() = default;
  virtual void begin_element(std::string_view name, Attributes attributes) = 0;
  virtual void end_element() = 0;
  // A part of a text, of CDATA too.
  virtual void text(std::string_view part) = 0;
};

// Takes UTF-8, whatever the document declares. A control character that XML does not have is a
// blank. A document that declares entities is refused; so are elements that lie over max_depth
// deep, and a tag or comment of over 1 MiB. Not thread-safe.
class XmlParser {
 public:
  explicit XmlParser(XmlEvents& events);
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  // An error is made by fault(). It is final.
  Status feed(std::string_view piece);
  Status finish();
  // In begin_element(): the line in which the element begins.
  std::uint64_t line_of_element() const;

 private:
  struct Calls;  // of libxml2

  void refuse(const std::string& sentence);
  std::uint64_t line() const;
  std::size_t waiting() const;
  Status status() const;

  XmlEvents& events_;
  _xmlParserCtxt* parser_;
  bool begun_ = false;
  std::uint64_t blank_lines_ = 0;  // before the document
  std::size_t depth_ = 0;
  std::string piece_;
  std::optional<Error> refused_;
};

}  // namespace quire::records
