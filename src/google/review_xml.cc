#include "google/review_xml.h"

#include <initializer_list>
#include <vector>

#include "model/document.h"
#include "model/validate.h"

namespace quire::google {
namespace {

// Leaves out U+FFFE and U+FFFF, which XML does not have. No comment has control characters.
std::string without_no_characters(std::string_view text) {
  std::string out(text);
  for (std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (auto at = out.find(none); at != out.npos; at = out.find(none, at))
      out.erase(at, none.size());
  return out;
}

void append_text(std::string& out, std::string_view text) {
  for (char c : without_no_characters(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
}

// An element with this text; `name` may have attributes. Blanks alone are no text.
void append_element(std::string& out, std::string_view name, std::string_view text) {
  if (is_blank(text)) return;
  out.append("<").append(name).append(">");
  append_text(out, text);
  out.append("</").append(name.substr(0, name.find(' '))).append(">");
}

void append_list(std::string& out, std::string_view list, std::string_view element,
                 const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  out.append("<").append(list).append(">");
  for (const auto& text : texts) append_element(out, element, text);
  out.append("</").append(list).append(">");
}

void append_flag(std::string& out, std::string_view element, const Attributes& attributes,
                 std::string_view name) {
  auto found = attributes.find(name);
  const auto* flag = found == attributes.end() ? nullptr : std::get_if<bool>(&found->second);
  if (flag) append_element(out, element, *flag ? "true" : "false");
}

void append_reviewer(std::string& out, const std::string& author) {
  out += "<reviewer>";
  if (is_blank(author))
    append_element(out, "name is_anonymous=\"true\"", "Anonymous");
  else
    append_element(out, "name", author);
  out += "</reviewer>";
}

// A product without a number of its own has the id by which the shop knows it.
void append_product(std::string& out, const FeedProduct& product) {
  const auto& facts = product.facts;
  out += "<products><product><product_ids>";
  append_list(out, "gtins", "gtin", facts.gtin);
  append_list(out, "mpns", "mpn", facts.mpn);
  append_list(out, "skus", "sku", facts.sku.empty() ? std::vector{product.id} : facts.sku);
  if (!is_blank(without_no_characters(facts.brand)))
    append_list(out, "brands", "brand", {facts.brand});
  out += "</product_ids>";
  append_element(out, "product_name", facts.name);
  append_element(out, "product_url", product.url);
  out += "</product></products>";
}

}  // namespace

std::string feed_head(std::string_view publisher) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<feed xmlns:vc=\"http://www.w3.org/2007/XMLSchema-versioning\" "
      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:noNamespaceSchemaLocation=\"http://www.google.com/shopping/reviews/schema/product/2.4/"
      "product_reviews.xsd\">\n<version>2.4</version>\n<publisher>";
  append_element(out, "name", publisher);
  return out + "</publisher>\n";
}

bool has_content(const Comment& comment) {
  return !is_blank(without_no_characters(comment.text));
}

std::string review_xml(const Comment& comment, const FeedProduct& product) {
  std::string out = "<review>";
  append_element(out, "review_id", comment.id.text());
  append_reviewer(out, without_no_characters(comment.author));
  append_flag(out, "is_verified_purchase", comment.attributes, "verified");
  append_flag(out, "is_incentivized_review", comment.attributes, "incentivized");
  append_element(out, "review_timestamp", time_text(comment.created_ms()));
  append_element(out, "title", without_no_characters(comment.title));
  append_element(out, "content", comment.text);
  if (comment.language != "und") append_element(out, "review_language", comment.language);
  append_element(out, "review_url type=\"group\"", product.url);
  if (!comment.media.empty()) {
    out += "<reviewer_images>";
    for (const auto& picture : comment.media) {
      out += "<reviewer_image>";
      append_element(out, "url", picture.url);
      out += "</reviewer_image>";
    }
    out += "</reviewer_images>";
  }
  out += "<ratings>";
  append_element(out, "overall min=\"1\" max=\"5\"", std::to_string(comment.rating));
  out += "</ratings>";
  append_product(out, product);
  return out + "</review>\n";
}

}  // namespace quire::google
