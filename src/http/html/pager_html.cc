#include "http/html/pager_html.h"

#include <algorithm>

#include "http/html/labels.h"
#include "http/query.h"

namespace quire::http {
namespace {

using Dictionary = ctemplate::TemplateDictionary;

constexpr std::uint64_t many_pages =
    100;  // from here on a pager shows fewer numbers, because they are wide

void fill_jump(Dictionary& numbers, const PageNumber& number, const Query& query,
               const std::string& self) {
  auto* jump = numbers.AddSectionDictionary("JUMP");
  jump->SetValue("JUMP_ACTION", self);
  jump->SetValue("NUMBER", std::to_string(number.number));
  jump->SetValue("COUNT", std::to_string(number.count));
  jump->SetValue("COUNT_TEXT", grouped(number.count));
  for (const auto& [name, value] : parameters_of(query)) {
    auto* row = jump->AddSectionDictionary("KEEP");
    row->SetValue("NAME", name);
    row->SetValue("VALUE", value);
  }
}

void fill_numbers(Dictionary& pager, const PageNumber& number, const Query& query,
                  const std::string& self) {
  auto* numbers = pager.AddSectionDictionary("NUMBERS");
  for (auto each : pager_numbers(number.number, number.count)) {
    auto* step = numbers->AddSectionDictionary("STEP");
    if (each == 0) {
      step->ShowSection("GAP");
      continue;
    }
    step->SetValue("NUMBER_TEXT", grouped(each));
    if (each == number.number) step->ShowSection("CURRENT");
    if (each != number.number)
      step->SetValueAndShowSection("HREF", numbered_address(self, query, each), "HAS_HREF");
  }
  fill_jump(*numbers, number, query, self);
}

}  // namespace

std::vector<std::uint64_t> pager_numbers(std::uint64_t number, std::uint64_t count) {
  std::uint64_t around = count >= many_pages ? 1 : 2;
  std::vector<std::uint64_t> numbers{1};
  std::uint64_t from = number > around + 1 ? number - around : 2;
  std::uint64_t to = std::min(count, number + around);
  for (auto each = from; each <= to; ++each) numbers.push_back(each);
  if (numbers.back() != count) numbers.push_back(count);
  std::vector<std::uint64_t> shown;
  for (auto each : numbers) {
    if (!shown.empty() && each == shown.back() + 2) shown.push_back(each - 1);
    if (!shown.empty() && each > shown.back() + 1) shown.push_back(0);
    shown.push_back(each);
  }
  return shown;
}

std::string previous_address(const FoundPage& page, const Query& query, const std::string& self) {
  if (!page.previous) return {};
  // A page by cursor may begin inside a numbered page. Then the previous page is that one.
  if (page.number) {
    auto before = page.number->whole ? page.number->number - 1 : page.number->number;
    return numbered_address(self, query, std::max<std::uint64_t>(1, before));
  }
  return page_address(self, query, "before=" + *page.previous);
}

std::string next_address(const FoundPage& page, const Query& query, const std::string& self) {
  if (!page.next) return {};
  if (page.number && page.number->joins) {
    return numbered_address(self, query, std::min(page.number->count, page.number->number + 1));
  }
  return page_address(self, query, "after=" + *page.next);
}

void fill_pager(Dictionary& out, const FoundPage& page, const Query& query,
                const std::string& self) {
  if (!page.previous && !page.next) return;
  auto* pager = out.AddSectionDictionary("PAGER");
  pager->SetValueAndShowSection("PREVIOUS_HREF", previous_address(page, query, self),
                                "HAS_PREVIOUS");
  pager->SetValueAndShowSection("NEXT_HREF", next_address(page, query, self), "HAS_NEXT");
  if (!page.number) return;
  auto [number, count, whole, joins] = *page.number;
  if (number > 1)
    pager->SetValueAndShowSection("FIRST_HREF", page_address(self, query), "HAS_FIRST");
  if (number < count)
    pager->SetValueAndShowSection("LAST_HREF", numbered_address(self, query, count), "HAS_LAST");
  fill_numbers(*pager, *page.number, query, self);
  if (count > 1) {
    out.SetValueAndShowSection("PAGE_TEXT", "Page " + grouped(number) + " of " + grouped(count),
                               "HAS_PAGE");
  }
}

}  // namespace quire::http
