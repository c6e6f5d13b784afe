#include "bitmap_index/reading/selection.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "lmdb/numbers.h"

namespace quire::bitmap_index {

namespace {

void add_value(std::vector<Value>& values, std::uint64_t hash_key, FacetNumber facet,
               const AttributeValue& value) {
  auto add_text = [&](const std::string& text) {
    values.push_back({facet, code_of_text(hash_key, text), 0, false, text});
  };
  auto add_number = [&](std::int64_t number) {
    auto code = encode_number(number);
    values.push_back({facet, code.code, code.rest, true});
  };
  if (const auto* flag = std::get_if<bool>(&value)) {
    values.push_back({facet, *flag ? Code{1} : Code{0}});
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    add_number(*number);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    add_text(*text);
  } else {
    for (const auto& tag : std::get<std::vector<std::string>>(value)) add_text(tag);
  }
}

constexpr std::int64_t max_number = (std::int64_t{1} << 53) - 1;

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

bool has(const std::vector<Code>& codes, Code code) {
  return std::binary_search(codes.begin(), codes.end(), code);
}

bool share(const std::vector<Code>& a, const std::vector<Code>& b) {
  return std::any_of(a.begin(), a.end(), [&](Code code) { return has(b, code); });
}

// Combines the conditions of a term on texts, or on a flag. False: they contradict each other.
bool normalise(Term& term) {
  for (auto* codes : {&term.any_of, &term.none_of, &term.all_of}) sort_unique(*codes);
  if (share(term.all_of, term.none_of)) return false;
  if (!term.several && term.all_of.size() > 1) return false;
  bool any = !term.any_of.empty();
  std::erase_if(term.any_of, [&](Code code) { return has(term.none_of, code); });
  if (any && term.any_of.empty()) return false;
  if (share(term.any_of, term.all_of)) term.any_of.clear();  // all_of wants more
  if (!term.several && !term.any_of.empty() && !term.all_of.empty()) return false;
  if (term.any_of.empty() && term.all_of.size() == 1) term.any_of.swap(term.all_of);
  // An id that has one value has no other.
  if (!term.several && !term.any_of.empty()) term.none_of.clear();
  if (term.several && term.any_of.size() == 1 && !term.all_of.empty()) {
    term.all_of.push_back(term.any_of.front());
    sort_unique(term.all_of);
    term.any_of.clear();
  }
  return true;
}

Code code_of_flag(const std::string& text) {
  return text == "true" ? 1 : 0;
}

std::optional<Term> text_term(std::uint64_t hash_key, const Clause& clause) {
  Term term{clause.number, clause.type == FacetType::tags};
  auto add = [&](std::vector<Code>& codes, const std::vector<std::string>& texts) {
    for (const auto& text : texts)
      codes.push_back(clause.type == FacetType::flag ? code_of_flag(text)
                                                     : code_of_text(hash_key, text));
  };
  add(term.any_of, clause.any_of);
  add(term.none_of, clause.none_of);
  add(term.all_of, clause.all_of);
  if (!normalise(term)) return {};
  return term;
}

std::vector<std::int64_t> numbers_of(const std::vector<std::string>& texts) {
  std::vector<std::int64_t> numbers;
  for (const auto& text : texts) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    numbers.push_back(number);
  }
  sort_unique(numbers);
  return numbers;
}

// Numbers that have a code each go by their codes, which the levels count; others by ranges.
void set_numbers(std::vector<Code>& codes, std::vector<NumberRange>& ranges, std::int64_t low,
                 std::int64_t high) {
  auto from = encode_number(low), to = encode_number(high);
  bool exact = rest_size(from.code) == 0 && rest_size(to.code) == 0;
  if (!exact) return ranges.push_back({from, to});
  for (auto code = from.code; code <= to.code; ++code) codes.push_back(code);
}

// One of the two must hold: makes them ranges alone if there are both.
void join(std::vector<Code>& codes, std::vector<NumberRange>& ranges) {
  if (ranges.empty()) return;
  for (auto code : codes) ranges.push_back({{code}, {code}});
  std::sort(ranges.begin(), ranges.end(),
            [](const NumberRange& a, const NumberRange& b) { return a.low < b.low; });
  codes.clear();
}

std::optional<Term> number_term(const Clause& clause) {
  Term term{clause.number};
  auto low = clause.min.value_or(-max_number), high = clause.max.value_or(max_number);
  auto wanted = numbers_of(clause.any_of), never = numbers_of(clause.none_of);
  auto all = numbers_of(clause.all_of);
  auto in = [](const auto& numbers, std::int64_t number) {
    return std::binary_search(numbers.begin(), numbers.end(), number);
  };
  if (!all.empty()) {  // a number is one alone
    if (all.size() > 1 || (!wanted.empty() && !in(wanted, all[0]))) return {};
    wanted = all;
  }
  bool any = !wanted.empty(), range = clause.min || clause.max;
  auto unwanted = [&](std::int64_t number) {
    return number < low || number > high || in(never, number);
  };
  std::erase_if(wanted, unwanted);
  if (low > high || (any && wanted.empty())) return {};
  for (auto number : wanted) set_numbers(term.any_of, term.within, number, number);
  if (!any && range) set_numbers(term.any_of, term.within, low, high);
  join(term.any_of, term.within);
  if (any) return term;
  for (auto number : never) {
    if (number >= low && number <= high) set_numbers(term.none_of, term.outside, number, number);
  }
  std::erase_if(term.any_of, [&](Code code) { return has(term.none_of, code); });
  if (range && !term.needs_value()) return {};
  if (!term.any_of.empty()) term.none_of.clear();
  return term;
}

// The term of what lists can select.
Term term_of_values(std::uint64_t hash_key, std::size_t facet,
                    const std::vector<FacetValue>& values) {
  bool rating = facet == rating_facet;
  Term term{rating ? rating_number : language_number};
  for (auto value : values) {
    term.any_of.push_back(rating ? encode_number(static_cast<std::int64_t>(value)).code
                                 : code_of_text(hash_key, list_facets[facet].text(value)));
  }
  sort_unique(term.any_of);
  return term;
}

bool selects(const Term& term, std::span<const Value> values) {
  auto found = [&](const std::vector<Code>& codes) {
    return std::count_if(values.begin(), values.end(),
                         [&](const Value& value) { return has(codes, value.code); });
  };
  auto within = [&](const std::vector<NumberRange>& ranges) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const NumberRange& range) {
      return std::any_of(values.begin(), values.end(), [&](const Value& value) {
        return range.has({value.code, value.rest});
      });
    });
  };
  if (term.no_value && !values.empty()) return false;
  if (!term.any_of.empty() && found(term.any_of) == 0) return false;
  if (found(term.none_of) > 0 || within(term.outside)) return false;
  if (found(term.all_of) != static_cast<std::ptrdiff_t>(term.all_of.size())) return false;
  return term.within.empty() || within(term.within);
}

void put(std::string& out, std::uint64_t number) {
  char bytes[8];
  lmdb::put_u64(bytes, number);
  out.append(bytes, sizeof bytes);
}

void put_codes(std::string& out, const std::vector<Code>& codes) {
  put(out, codes.size());
  for (auto code : codes) put(out, code);
}

void put_ranges(std::string& out, const std::vector<NumberRange>& ranges) {
  put(out, ranges.size());
  for (const auto& range : ranges) {
    for (auto number : {range.low.code, range.low.rest, range.high.code, range.high.rest})
      put(out, number);
  }
}

bool by_facet(const Term& a, const Term& b) {
  return a.facet < b.facet;
}

}  // namespace

std::vector<Value> values_of(std::uint64_t hash_key, const Schema& schema, const Comment& comment,
                             bool built) {
  std::vector<Value> values;
  AttributeValue made;
  for (const auto& each : schema.facets()) {
    using State = FacetStatus::State;
    if (each.status.state == State::dropping) continue;
    if (each.status.state == State::building && !built) continue;
    if (each.number == language_number) {
      values.push_back(
          {each.number, code_of_text(hash_key, comment.language), 0, false, comment.language});
    } else if (each.number == rating_number) {
      auto code = encode_number(comment.rating);
      values.push_back({each.number, code.code, code.rest, true});
    } else {
      const auto* value = declared_value(each.facet(), comment, made);
      if (value) add_value(values, hash_key, each.number, *value);
    }
  }
  auto by_code = [](const Value& a, const Value& b) {
    return std::pair(a.facet, a.code) < std::pair(b.facet, b.code);
  };
  auto same = [](const Value& a, const Value& b) { return a.facet == b.facet && a.code == b.code; };
  std::sort(values.begin(), values.end(), by_code);
  values.erase(std::unique(values.begin(), values.end(), same), values.end());
  return values;
}

Selection Selection::with(Term term) const {
  auto other = *this;
  auto at = std::upper_bound(other.terms.begin(), other.terms.end(), term, by_facet);
  other.terms.insert(at, std::move(term));
  return other;
}

Selection Selection::without(FacetNumber facet) const {
  auto other = *this;
  std::erase_if(other.terms, [&](const Term& term) { return term.facet == facet; });
  return other;
}

Selection selection_of(std::uint64_t hash_key, const Filter& filter, words::Stemmers stemmers) {
  if (filter.nothing) return {{}, true};
  Selection selection;
  selection.words = filter.words;
  if (!filter.words.empty()) selection.stemmers = stemmers;
  auto add = [&](const Clause& clause) {
    auto term =
        clause.type == FacetType::number ? number_term(clause) : text_term(hash_key, clause);
    if (!term) selection.nothing = true;
    if (term && *term != Term{term->facet, term->several}) selection.terms.push_back(*term);
  };
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (filter.restricts(facet))
      selection.terms.push_back(term_of_values(hash_key, facet, filter.values[facet]));
  }
  for (const auto& clause : filter.clauses) add(clause);
  if (selection.nothing) return {{}, true};
  std::stable_sort(selection.terms.begin(), selection.terms.end(), by_facet);
  return selection;
}

bool matches(const Selection& selection, std::span<const Value> values) {
  if (selection.nothing) return false;
  return std::all_of(selection.terms.begin(), selection.terms.end(), [&](const Term& term) {
    auto by_facet = [](const Value& a, const Value& b) { return a.facet < b.facet; };
    auto [begin, end] =
        std::equal_range(values.begin(), values.end(), Value{term.facet, 0}, by_facet);
    return selects(term, {begin, end});
  });
}

std::optional<Tally> tally_of(const Selection& selection) {
  constexpr std::size_t max_codes = 16;  // each is walked by itself
  if (selection.nothing || selection.terms.size() > 1 || !selection.words.empty()) return {};
  if (selection.terms.empty()) return Tally{};
  const auto& term = selection.terms[0];
  bool ranges = !term.within.empty() || !term.outside.empty();
  if (term.no_value || !term.all_of.empty() || ranges) return {};
  if (!term.any_of.empty() && !term.none_of.empty()) return {};
  Tally tally{term.facet, term.any_of, term.any_of.empty()};
  if (tally.without) tally.codes = term.none_of;
  if (tally.codes.size() > (term.several ? 1 : max_codes)) return {};
  return tally;
}

std::string bytes_of(const Selection& selection) {
  std::string out(1, selection.nothing ? '1' : selection.words.empty() ? '0' : '2');
  out.reserve(1 + 64 * selection.terms.size());
  if (!selection.words.empty()) {
    put(out, selection.stemmers);
    put(out, selection.words.size());
  }
  for (const auto& word : selection.words) {
    put(out, word.size());
    out += word;
  }
  for (const auto& term : selection.terms) {
    put(out, term.facet);
    put(out, term.no_value);
    for (const auto* codes : {&term.any_of, &term.none_of, &term.all_of}) put_codes(out, *codes);
    for (const auto* ranges : {&term.within, &term.outside}) put_ranges(out, *ranges);
  }
  return out;
}

}  // namespace quire::bitmap_index
