// From a query to the filter that it means.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/limits.h"
#include "base/text.h"
#include "base/try.h"
#include "model/attributes.h"
#include "model/filter.h"
#include "model/validate.h"
#include "words/question.h"

namespace quire {
namespace {

using TextList = std::vector<std::string>;

Error refused(std::string parameter, std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), std::move(parameter)};
}

// The form of a value, for messages.
std::string wanted(const SchemaFacet& facet) {
  if (facet.number == language_number) return std::string(list_facets[language_facet].wanted);
  if (facet.number == rating_number) return std::string(list_facets[rating_facet].wanted);
  if (facet.facet().type == FacetType::flag) return "true or false";
  if (facet.facet().type == FacetType::number) return "a whole number of at most 53 bits";
  if (facet.facet().values.empty()) return "a text of 1 to 100 characters";
  return listed_values(facet.facet());
}

std::optional<std::string> canonical_number(std::string_view text) {
  auto number = parse_integer<std::int64_t>(text);
  if (!number || !is_attribute_number(*number)) return {};
  return std::to_string(*number);
}

// The canonical text of a value. Absent: no comment can have this value.
std::optional<std::string> canonical(const SchemaFacet& facet, const std::string& text) {
  auto given = [&](bool valid) { return valid ? std::optional(text) : std::nullopt; };
  if (facet.number == language_number) return canonical_language(text);
  if (facet.number == rating_number)
    return given(list_facets[rating_facet].parse(text).has_value());
  switch (facet.facet().type) {
    case FacetType::flag:
      return given(text == "true" || text == "false");
    case FacetType::number:
      return canonical_number(text);
    case FacetType::tags:
      return given(is_attribute_text(text));
    case FacetType::choice:
      return given(is_attribute_text(text) && fits(facet.facet(), text));
  }
  return {};
}

Result<const SchemaFacet*> find_ready(const Schema& schema, std::string_view name,
                                      const std::string& parameter) {
  const auto* facet = schema.find(name);
  if (!facet || facet->status.state == FacetStatus::State::dropping)
    return refused(parameter,
                   "There is no facet " + std::string(shortened(name)) +
                       ". Facets are listed by quire facet list, and declared by quire facet "
                       "add.");
  if (facet->status.state == FacetStatus::State::building) {
    return Error{ErrorCode::facet_building,
                 "The facet " + facet->facet().name +
                     " is being built. Ask again later; quire facet list shows how far it is.",
                 parameter};
  }
  return facet;
}

void sort_once(TextList& texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

template <class Operation>
TextList joined(const TextList& a, const TextList& b, Operation operation) {
  TextList out;
  operation(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}
TextList both(const TextList& a, const TextList& b) {
  return joined(a, b, [](auto... args) { std::set_intersection(args...); });
}
TextList either(const TextList& a, const TextList& b) {
  return joined(a, b, [](auto... args) { std::set_union(args...); });
}
TextList without(const TextList& a, const TextList& b) {
  return joined(a, b, [](auto... args) { std::set_difference(args...); });
}

// Whether each number of the range is unwanted. All unwanted numbers lie in the range.
bool excludes_range(const Clause& clause) {
  return clause.min && clause.max &&
         static_cast<std::uint64_t>(*clause.max - *clause.min) < clause.none_of.size();
}

// Brings a clause to its shortest form. False: no comment matches.
bool simplify(Clause& clause) {
  if (clause.min && clause.max && *clause.min > *clause.max) return false;
  bool wants_some = !clause.any_of.empty();
  auto outside = [&](const std::string& text) {
    if (!clause.min && !clause.max) return false;
    auto number = std::stoll(text);
    return (clause.min && number < *clause.min) || (clause.max && number > *clause.max);
  };
  std::erase_if(clause.any_of, outside);
  std::erase_if(clause.none_of, outside);
  if (excludes_range(clause)) return false;
  if (!clause.none_of.empty()) clause.any_of = without(clause.any_of, clause.none_of);
  if (wants_some && clause.any_of.empty()) return false;
  if (!both(clause.all_of, clause.none_of).empty()) return false;
  if (!both(clause.any_of, clause.all_of).empty()) clause.any_of.clear();
  if (wants_some && clause.type != FacetType::tags) {
    clause.none_of.clear();
    clause.min.reset();
    clause.max.reset();
  }
  return true;
}

bool empty(const Clause& clause) {
  return clause.any_of.empty() && clause.none_of.empty() && clause.all_of.empty() && !clause.min &&
         !clause.max;
}

// Joins the conditions of a query facet by facet.
class FilterMaker {
 public:
  explicit FilterMaker(const Schema& schema) : schema_(schema) {}

  Status add(const FacetFilter& asked);
  void finish(Filter& filter);

 private:
  Status join(Clause clause);
  void limit(Clause& clause, const FacetFilter& asked);

  const Schema& schema_;
  std::map<FacetNumber, Clause> clauses_;
  std::set<FacetNumber> contradicted_;
};

Status FilterMaker::add(const FacetFilter& asked) {
  const auto& name = asked.facet;
  struct Wanted {
    const TextList& from;
    TextList Clause::*to;
    std::string parameter;
  };
  const Wanted all[] = {{asked.any_of, &Clause::any_of, name},
                        {asked.none_of, &Clause::none_of, "not." + name},
                        {asked.all_of, &Clause::all_of, name + ".all"}};
  auto used = std::find_if(std::begin(all), std::end(all),
                           [](const Wanted& each) { return !each.from.empty(); });
  std::string range = asked.min ? name + ".min" : name + ".max";
  bool ranged = asked.min || asked.max;
  TRY(auto facet, find_ready(schema_, name,
                             used != std::end(all) ? used->parameter
                             : ranged              ? range
                                                   : name));
  const Facet& declared = facet->facet();
  if (ranged && declared.type != FacetType::number)
    return refused(range, name + " is no number. Only numbers have a least and a greatest value.");
  if (!asked.all_of.empty() && declared.type != FacetType::tags)
    return refused(all[2].parameter, name + " has one value at most. Only tags have .all.");
  Clause clause{facet->number, declared.type, declared.name};
  for (const auto& [from, to, parameter] : all) {
    for (const auto& text : from) {
      auto value = canonical(*facet, text);
      if (!value)
        return refused(parameter, parameter + " is " + wanted(*facet) + ", and may be repeated.");
      (clause.*to).push_back(std::move(*value));
    }
    sort_once(clause.*to);
  }
  limit(clause, asked);
  return join(std::move(clause));
}

// A range that ends beyond all numbers still wants a number.
void FilterMaker::limit(Clause& clause, const FacetFilter& asked) {
  constexpr auto greatest = limits::attribute_number;
  if (asked.min > greatest || (asked.max && *asked.max < -greatest))
    contradicted_.insert(clause.number);
  if (asked.min) clause.min = std::clamp(*asked.min, -greatest, greatest);
  if (asked.max) clause.max = std::clamp(*asked.max, -greatest, greatest);
}

Status FilterMaker::join(Clause clause) {
  auto [at, first] = clauses_.try_emplace(clause.number, std::move(clause));
  if (first) return Done{};
  Clause& known = at->second;
  if (!known.any_of.empty() && !clause.any_of.empty()) {
    if (clause.type == FacetType::tags)
      return refused(clause.name,
                     clause.name + " is filtered twice. Put all its values in one filter.");
    known.any_of = both(known.any_of, clause.any_of);
    if (known.any_of.empty()) contradicted_.insert(clause.number);
  } else if (known.any_of.empty()) {
    known.any_of = clause.any_of;
  }
  known.none_of = either(known.none_of, clause.none_of);
  known.all_of = either(known.all_of, clause.all_of);
  if (clause.min) known.min = std::max(known.min.value_or(*clause.min), *clause.min);
  if (clause.max) known.max = std::min(known.max.value_or(*clause.max), *clause.max);
  return Done{};
}

// Every comment has a language and a rating, so wanted values can say what a rating must be.
void FilterMaker::finish(Filter& filter) {
  for (auto& [number, clause] : clauses_) {
    if (!simplify(clause)) {
      contradicted_.insert(number);
    } else if (number == rating_number) {
      auto& ratings = filter.values[rating_facet];
      for (int rating = 1; rating <= 5; ++rating) {
        if (clause.matches(std::int64_t{rating}))
          ratings.push_back(static_cast<FacetValue>(rating));
      }
      if (ratings.empty()) contradicted_.insert(number);
      if (ratings.size() == list_facets[rating_facet].domain) ratings.clear();
    } else if (number == language_number && !clause.any_of.empty()) {
      auto& languages = filter.values[language_facet];
      for (const auto& text : clause.any_of)
        languages.push_back(*list_facets[language_facet].parse(text));
      std::sort(languages.begin(), languages.end());
    } else if (!empty(clause)) {
      filter.clauses.push_back(std::move(clause));
    }
  }
  filter.contradicted.assign(contradicted_.begin(), contradicted_.end());
  filter.nothing = !contradicted_.empty();
}

}  // namespace

Result<Filter> make_filter(const Query& query, const Schema& schema) {
  TRY_DONE(check_product(query.product));
  FilterMaker maker(schema);
  FacetFilter ratings{"rating"};
  for (int rating : query.ratings) ratings.any_of.push_back(std::to_string(rating));
  if (!query.languages.empty()) {
    TRY_DONE(maker.add({"language", query.languages}));
  }
  if (!query.ratings.empty()) {
    TRY_DONE(maker.add(ratings));
  }
  for (const auto& asked : query.facets) {
    TRY_DONE(maker.add(asked));
  }
  Filter filter{query.product, {}};
  maker.finish(filter);
  if (!query.words.empty()) {
    TRY(filter.words, words::plain_words(query.words));
  }
  return filter;
}

Result<FacetNumber> sort_facet(const Query& query, const Schema& schema) {
  if (!sorts_by_value(query.sort)) return no_facet;
  auto facet = find_ready(schema, query.sort_facet, "sort");
  if (!facet && facet.error().code == ErrorCode::invalid_parameter)
    return refused("sort", facet.error().message + " " + std::string(sort_forms));
  if (!facet) return facet.error();
  if ((*facet)->facet().type != FacetType::number)
    return refused("sort", query.sort_facet + " is no number. Sort by a number or by created_at.");
  return (*facet)->number;
}

}  // namespace quire
