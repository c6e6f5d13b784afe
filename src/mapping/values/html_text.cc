// HTML as text, by libxml2's parser, which repairs whatever it reads.
#include <libxml/HTMLparser.h>

#include <algorithm>
#include <memory>

#include "mapping/values/words.h"

namespace quire {
namespace {

constexpr int parser_options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                               HTML_PARSE_NONET | HTML_PARSE_COMPACT | HTML_PARSE_IGNORE_ENC;
// Without it, a paragraph would be made around a text that has none.
constexpr std::string_view before = "<html><body>";
constexpr std::size_t max_bytes = 16 << 20;  // no text of a comment is longer, whatever its tags

enum class Display { inline_, line, paragraph, cell, hidden };

struct Element {
  std::string_view name;
  Display display;
};
constexpr Element elements[] = {
    {"address", Display::line},    {"article", Display::line},    {"aside", Display::line},
    {"blockquote", Display::line}, {"br", Display::line},         {"center", Display::line},
    {"dd", Display::line},         {"div", Display::line},        {"dl", Display::line},
    {"dt", Display::line},         {"fieldset", Display::line},   {"figcaption", Display::line},
    {"figure", Display::line},     {"footer", Display::line},     {"form", Display::line},
    {"h1", Display::line},         {"h2", Display::line},         {"h3", Display::line},
    {"h4", Display::line},         {"h5", Display::line},         {"h6", Display::line},
    {"head", Display::hidden},     {"header", Display::line},     {"hr", Display::line},
    {"iframe", Display::hidden},   {"li", Display::line},         {"main", Display::line},
    {"nav", Display::line},        {"noscript", Display::hidden}, {"object", Display::hidden},
    {"ol", Display::line},         {"p", Display::paragraph},     {"pre", Display::line},
    {"script", Display::hidden},   {"section", Display::line},    {"style", Display::hidden},
    {"table", Display::line},      {"td", Display::cell},         {"template", Display::hidden},
    {"th", Display::cell},         {"title", Display::hidden},    {"tr", Display::line},
    {"ul", Display::line}};

std::string_view text_of_xml(const xmlChar* text) {
  return text ? reinterpret_cast<const char*>(text) : std::string_view();
}

Display display_of(const xmlNode* node) {
  auto name = text_of_xml(node->name);
  const auto* found = std::find_if(std::begin(elements), std::end(elements),
                                   [&](const Element& element) { return element.name == name; });
  return found == std::end(elements) ? Display::inline_ : found->display;
}

bool is_element(const xmlNode* node, std::string_view name) {
  return node->type == XML_ELEMENT_NODE && text_of_xml(node->name) == name;
}

// The node after this one and all within it, still inside of `root`. Null: there is none. `leave`
// is called with each element that ends.
template <class Leave>
const xmlNode* node_after(const xmlNode* node, const xmlNode* root, Leave leave) {
  for (; node != root; node = node->parent) {
    leave(node);
    if (node->next) return node->next;
  }
  return nullptr;
}

// Calls `enter` with each node in the document's order; false: it passes over what is within. No
// recursion, however deep the elements lie.
template <class Enter, class Leave>
void walk(const xmlNode* root, Enter enter, Leave leave) {
  for (const xmlNode* node = root->children; node;) {
    bool within = enter(node) && node->type == XML_ELEMENT_NODE && node->children;
    node = within ? node->children : node_after(node, root, leave);
  }
}

// Puts a text together: spaces are joined, and ends of lines that follow each other are the widest.
class Lines {
 public:
  explicit Lines(bool keep_line_ends) : keep_line_ends_(keep_line_ends) {}

  void add(std::string_view text, bool as_it_stands) {
    for (char c : text) {
      bool line_end = c == '\n' && (keep_line_ends_ || as_it_stands);
      bool white = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
      if (line_end) {
        end_line();
      } else if (white && !as_it_stands) {
        space_ = true;
      } else {
        put(c);
      }
    }
  }
  void space() { space_ = true; }
  // An end of a line in the text, of which several leave empty lines.
  void end_line() {
    ++ends_;
    space_ = false;
  }
  // There are at least so many ends of lines: 2 leave an empty line.
  void divide(int ends) {
    ends_ = std::max(ends_, ends);
    space_ = false;
  }
  std::string text() && { return std::move(out_); }

 private:
  void put(char c) {
    if (!out_.empty()) out_.append(static_cast<std::size_t>(ends_), '\n');
    if (space_ && ends_ == 0 && !out_.empty()) out_ += ' ';
    ends_ = 0;
    space_ = false;
    out_ += c;
  }

  const bool keep_line_ends_;
  std::string out_;
  int ends_ = 0;
  bool space_ = false;
};

void add_element(const xmlNode* node, Lines& lines) {
  switch (display_of(node)) {
    case Display::line:
      if (is_element(node, "br"))
        lines.end_line();
      else
        lines.divide(1);
      break;
    case Display::paragraph:
      lines.divide(2);
      break;
    case Display::cell:
      lines.space();
      break;
    default:
      break;
  }
}

bool has_blocks(const xmlNode* root) {
  bool found = false;
  walk(
      root,
      [&](const xmlNode* node) {
        bool block = node->type == XML_ELEMENT_NODE && !is_element(node, "body") &&
                     (display_of(node) == Display::line || display_of(node) == Display::paragraph);
        found = found || block;
        return !found;
      },
      [](const xmlNode*) {});
  return found;
}

std::string text_within(const xmlNode* root) {
  Lines lines(!has_blocks(root));
  int as_it_stands = 0;
  auto enter = [&](const xmlNode* node) {
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
      lines.add(text_of_xml(node->content), as_it_stands > 0);
    if (node->type != XML_ELEMENT_NODE || display_of(node) == Display::hidden) return false;
    add_element(node, lines);
    if (is_element(node, "pre")) ++as_it_stands;
    return true;
  };
  auto leave = [&](const xmlNode* node) {
    if (node->type != XML_ELEMENT_NODE || is_element(node, "br")) return;
    if (is_element(node, "pre")) --as_it_stands;
    add_element(node, lines);
  };
  walk(root, enter, leave);
  return std::move(lines).text();
}

}  // namespace

std::string html_text(std::string_view html) {
  if (html.find_first_of("<&") == html.npos || html.size() > max_bytes) return cleaned(html);
  std::string page(before);
  page += cleaned(html);
  std::unique_ptr<htmlParserCtxt, void (*)(htmlParserCtxt*)> parser(htmlNewParserCtxt(),
                                                                    htmlFreeParserCtxt);
  if (!parser) throw std::bad_alloc();
  std::unique_ptr<xmlDoc, void (*)(xmlDoc*)> document(
      htmlCtxtReadMemory(parser.get(), page.data(), static_cast<int>(page.size()), nullptr, "UTF-8",
                         parser_options),
      xmlFreeDoc);
  const xmlNode* root = document ? xmlDocGetRootElement(document.get()) : nullptr;
  return root ? cleaned(text_within(root)) : std::string();
}

}  // namespace quire
