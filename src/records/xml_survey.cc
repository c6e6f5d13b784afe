#include <algorithm>
#include <map>

#include "records/xml.h"

namespace quire::records {
namespace {

constexpr std::size_t max_kinds = 1000;
constexpr std::size_t max_told = 5;

// Counts elements by their names.
class ElementSurvey final : public XmlEvents {
 public:
  struct Kind {
    std::string name;
    std::size_t depth, count = 0, parts = 0;
  };

  void begin_element(std::string_view name, Attributes attributes) override {
    if (!open_.empty()) ++kinds_[open_.back()].parts;
    auto known = numbers_.find(name);
    if (known == numbers_.end() && kinds_.size() < max_kinds) {
      known = numbers_.emplace(name, kinds_.size()).first;
      kinds_.push_back({std::string(name), open_.size()});
    }
    auto number = known == numbers_.end() ? 0 : known->second;
    auto& kind = kinds_[number];
    ++kind.count;
    kind.depth = std::min(kind.depth, open_.size());
    kind.parts += attributes.size();
    open_.push_back(number);
  }
  void end_element() override {
    if (!open_.empty()) open_.pop_back();
  }
  void text(std::string_view) override {}

  const std::vector<Kind>& kinds() const { return kinds_; }

 private:
  std::vector<Kind> kinds_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
  std::vector<std::size_t> open_;
};

}  // namespace

std::vector<std::string> xml_rows(std::string_view head) {
  ElementSurvey survey;
  XmlParser parser(survey);
  // Where the head is at fault, the rows before it are seen, and the reader tells the fault.
  if (auto taken = parser.feed(head); !taken && survey.kinds().empty()) return {};
  std::vector<ElementSurvey::Kind> found;
  for (const auto& kind : survey.kinds())
    if (kind.count > 1 && kind.parts > kind.count) found.push_back(kind);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.depth < b.depth; });
  std::vector<std::string> names;
  for (auto& kind : found)
    if (names.size() < max_told) names.push_back(std::move(kind.name));
  return names;
}

}  // namespace quire::records
