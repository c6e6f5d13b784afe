// Fuzzes the JSON that clients send: the body of a POST, a patch, a row of an import.
#include "fuzz.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/validate.h"

namespace quire::fuzz {
namespace {

void check_refusal(const Error& error) {
  require(error.code == ErrorCode::invalid_comment, "a refusal is about the comment");
  require(
      characters(error.message, std::string_view("\0\1\2\3\4\5\6\7\b\t\n\v\f\r\16\17\20\21\22\23"
                                                 "\24\25\26\27\30\31\32\33\34\35\36\37",
                                                 32))
          .has_value(),
      "a refusal is UTF-8");
  require(error.message.size() < 8192, "a refusal is short");
}

// A stored document gives its comment back, and so does the JSON of an exported row. A document
// that is shown has none of the words of moderators.
void check_kept(const Comment& comment) {
  Comment shown = comment;
  shown.moderation = {.status = comment.moderation.status, .reason = comment.moderation.reason};
  require(decode_document(encode_document(comment)) == shown, "a document shows its comment");
  auto document = encode_document(comment, Members::kept);
  require(decode_document(document) == comment, "a document holds its comment");
  auto parsed = parse_row(exported_json(document));
  auto* row = parsed ? std::get_if<Row>(&*parsed) : nullptr;
  require(row && row->id == comment.id, "what is exported can be imported");
  require(comment_of(*row->id, row->draft) == comment, "an import gives the same comment");
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire;
  using namespace quire::fuzz;
  auto text = text_of(data, size);
  Ulid id = Ulid::make(1'732'104'060'155, {1, 2, 3});
  if (auto draft = parse_draft(text, "42")) {
    require(check(*draft).ok(), "an accepted draft is valid");
    check_kept(comment_of(id, *draft));
  } else {
    check_refusal(draft.error());
  }
  if (auto patch = parse_patch(text)) {
    require(check(*patch).ok(), "an accepted patch is valid");
    Comment before{.id = id, .product = "42", .language = "en", .rating = 1};
    if (auto after = patched(before, *patch))
      check_kept(*after);
    else
      check_refusal(after.error());
  } else {
    check_refusal(patch.error());
  }
  auto parsed = parse_row(text);
  if (!parsed) {
    check_refusal(parsed.error());
  } else if (auto* report = std::get_if<ReportRow>(&*parsed)) {
    auto line = report_json(report->comment, report->report, true);
    auto again = parse_row(line);
    auto* same = again ? std::get_if<ReportRow>(&*again) : nullptr;
    require(same && report_json(same->comment, same->report, true) == line, "a report is kept");
  } else if (auto* key = std::get_if<CustomerKeyRow>(&*parsed)) {
    auto again = parse_row(customer_key_json(key->check));
    auto* same = again ? std::get_if<CustomerKeyRow>(&*again) : nullptr;
    require(same && same->check == key->check, "the key of a row is told as it was");
  } else {
    auto* row = &std::get<Row>(*parsed);
    require(check(row->draft).ok(), "an accepted row is valid");
    require(row->draft.created_ms.has_value(), "a row has a time");
    check_kept(comment_of(row->id.value_or(Ulid::make(*row->draft.created_ms, {})), row->draft));
  }
  return 0;
}
