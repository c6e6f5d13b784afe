#include "http/html/parts.h"

#include <algorithm>

#include "http/query.h"

namespace quire::http {
namespace {

constexpr std::uint64_t many_pages =
    100;  // from here on a pager shows fewer numbers, because they are wide

void fill_jump(Values& numbers, const PageNumber& number, const ShownPage& page) {
  auto& jump = numbers.add("JUMP");
  jump.set("JUMP_ACTION", page.links.self);
  jump.set("NUMBER", number.number);
  jump.set("COUNT", number.count);
  jump.set("COUNT_TEXT", page.texts->number(number.count));
  for (const auto& [name, value] : parameters_of(page.query)) {
    auto& row = jump.add("KEEP");
    row.set("NAME", name);
    row.set("VALUE", value);
  }
}

void fill_numbers(Values& pager, const PageNumber& number, const ShownPage& page) {
  auto& numbers = pager.add("NUMBERS");
  for (auto each : pager_numbers(number.number, number.count)) {
    auto& step = numbers.add("STEP");
    if (each == 0) {
      step.show("GAP");
      continue;
    }
    step.set("NUMBER_TEXT", page.texts->number(each));
    if (each == number.number) step.show("CURRENT");
    if (each != number.number) step.set("HREF", page.links.numbered(page.query, each));
  }
  fill_jump(numbers, number, page);
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

std::string previous_address(const ShownPage& shown) {
  const auto& page = shown.found;
  if (!page.previous) return {};
  // A page by cursor may begin inside a numbered page. Then the previous page is that one.
  if (page.number) {
    auto before = page.number->whole ? page.number->number - 1 : page.number->number;
    return shown.links.numbered(shown.query, std::max<std::uint64_t>(1, before));
  }
  return shown.links.page(shown.query, "before=" + *page.previous);
}

std::string next_address(const ShownPage& shown) {
  const auto& page = shown.found;
  if (!page.next) return {};
  if (page.number && page.number->joins) {
    return shown.links.numbered(shown.query, std::min(page.number->count, page.number->number + 1));
  }
  return shown.links.page(shown.query, "after=" + *page.next);
}

void fill_pager(Values& out, const ShownPage& shown) {
  const auto& page = shown.found;
  if (!page.previous && !page.next) return;
  auto& pager = out.add("PAGER");
  pager.set("PREVIOUS_HREF", previous_address(shown));
  pager.set("NEXT_HREF", next_address(shown));
  if (!page.number) return;
  auto [number, count, whole, joins] = *page.number;
  if (number > 1) pager.set("FIRST_HREF", shown.links.page(shown.query));
  if (number < count) pager.set("LAST_HREF", shown.links.numbered(shown.query, count));
  fill_numbers(pager, *page.number, shown);
  if (count > 1) {
    const auto& texts = *shown.texts;
    out.set("PAGE_TEXT", texts.with("page_of", {{"NUMBER", texts.number(number)},
                                                {"COUNT", texts.number(count)}}));
  }
}

}  // namespace quire::http
