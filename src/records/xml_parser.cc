#include "records/xml_parser.h"

#include <fmt/core.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <new>

#include "records/container.h"

namespace quire::records {
namespace {

std::string_view text_of(const xmlChar* text) {
  return reinterpret_cast<const char*>(text);
}

// Without branches, so that many are looked at together.
char blank_if_forbidden(char c) {
  bool forbidden = (static_cast<unsigned char>(c) < 0x20) & (c != '\t') & (c != '\n') & (c != '\r');
  return forbidden ? ' ' : c;
}

}  // namespace

struct XmlParser::Calls {
  static XmlParser& parser(void* self) { return *static_cast<XmlParser*>(self); }

  static void begin(void* self, const xmlChar* name, const xmlChar*, const xmlChar*, int,
                    const xmlChar**, int count, int, const xmlChar** attributes) {
    constexpr int fields = 5;  // of an attribute: name, prefix, namespace, the value and its end
    XmlEvents::Attributes named;
    for (int i = 0; i < count; ++i, attributes += fields)
      named.emplace_back(text_of(attributes[0]),
                         std::string(reinterpret_cast<const char*>(attributes[3]),
                                     reinterpret_cast<const char*>(attributes[4])));
    auto& xml = parser(self);
    if (++xml.depth_ > max_depth)
      return xml.refuse(fmt::format("Elements lie over {} deep in each other.", max_depth));
    xml.events_.begin_element(text_of(name), std::move(named));
  }

  static void end(void* self, const xmlChar*, const xmlChar*, const xmlChar*) {
    --parser(self).depth_;
    parser(self).events_.end_element();
  }

  static void text(void* self, const xmlChar* part, int size) {
    parser(self).events_.text(
        {reinterpret_cast<const char*>(part), static_cast<std::size_t>(size)});
  }

  static void declare_entity(void* self, const xmlChar*, int, const xmlChar*, const xmlChar*,
                             xmlChar*) {
    parser(self).refuse("The XML declares an entity. Quire expands none: write the texts out.");
  }

  static xmlEntityPtr entity(void* self, const xmlChar* name) {
    parser(self).refuse(
        fmt::format("XML has no entity &{};. Write the character itself.", text_of(name)));
    return nullptr;
  }

  static void fault_found(void* self, xmlErrorPtr error) {
    if (error->level < XML_ERR_FATAL) return;
    std::string why(error->message ? error->message : "");
    why.erase(std::min(why.find_last_not_of(" \n") + 1, why.size()));
    parser(self).refuse("The XML is malformed: " + why + ".");
  }
};

XmlParser::XmlParser(XmlEvents& events) : events_(events) {
  xmlSAXHandler calls{};
  calls.initialized = XML_SAX2_MAGIC;
  calls.startElementNs = &Calls::begin;
  calls.endElementNs = &Calls::end;
  calls.characters = calls.ignorableWhitespace = calls.cdataBlock = &Calls::text;
  calls.entityDecl = &Calls::declare_entity;
  calls.getEntity = calls.getParameterEntity = &Calls::entity;
  calls.serror = &Calls::fault_found;
  parser_ = xmlCreatePushParserCtxt(&calls, this, nullptr, 0, nullptr);
  if (!parser_) throw std::bad_alloc();
  xmlCtxtUseOptions(parser_, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
}

XmlParser::~XmlParser() {
  if (parser_->myDoc) xmlFreeDoc(parser_->myDoc);
  xmlFreeParserCtxt(parser_);
}

// The first fault counts.
void XmlParser::refuse(const std::string& sentence) {
  if (!refused_) refused_ = fault(line(), sentence);
  xmlStopParser(parser_);
}

std::uint64_t XmlParser::line() const {
  auto line = parser_->input ? parser_->input->line : 1;
  return blank_lines_ + static_cast<std::uint64_t>(std::max(line, 1));
}

// Bytes that the parser has not taken yet.
std::size_t XmlParser::waiting() const {
  return parser_->input ? static_cast<std::size_t>(parser_->input->end - parser_->input->cur) : 0;
}

// The parser stands at the end of the tag.
std::uint64_t XmlParser::line_of_element() const {
  const auto& input = *parser_->input;
  std::uint64_t lines = 0;
  for (auto at = input.cur; at > input.base && *(at - 1) != '<'; --at) lines += *(at - 1) == '\n';
  return line() - lines;
}

Status XmlParser::feed(std::string_view piece) {
  if (refused_) return *refused_;
  if (!begun_) {
    auto begin = std::min(piece.find_first_not_of(blanks), piece.size());
    blank_lines_ +=
        static_cast<std::uint64_t>(std::count(piece.data(), piece.data() + begin, '\n'));
    piece.remove_prefix(begin);
    begun_ = !piece.empty();
  }
  if (piece.empty()) return Done{};
  piece_.resize(piece.size());
  std::transform(piece.begin(), piece.end(), piece_.begin(), blank_if_forbidden);
  xmlParseChunk(parser_, piece_.data(), static_cast<int>(piece_.size()), 0);
  // Of CDATA that does not end in the piece, a call takes 300 bytes.
  for (auto before = waiting() + 1; !refused_ && waiting() < before && waiting() > 300;) {
    before = waiting();
    xmlParseChunk(parser_, nullptr, 0, 0);
  }
  if (!refused_ && waiting() > max_row) refuse("The XML has a tag or comment of over 1 MiB.");
  return status();
}

Status XmlParser::finish() {
  if (!refused_) xmlParseChunk(parser_, nullptr, 0, 1);
  return status();
}

Status XmlParser::status() const {
  if (refused_) return *refused_;
  if (parser_->errNo == XML_ERR_NO_MEMORY) throw std::bad_alloc();
  return Done{};
}

}  // namespace quire::records
