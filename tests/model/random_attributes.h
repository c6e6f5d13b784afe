// Random attributes and schemas, small enough that values meet.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "model/schema.h"

namespace quire {

class RandomAttributes {
 public:
  explicit RandomAttributes(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

  std::string text() {
    static const std::vector<std::string> texts{"S", "M", "L", "a \"b\"", "é", "<&>", "\\"};
    return one_of(texts);
  }
  std::vector<std::string> texts(std::size_t max) {
    std::vector<std::string> out;
    for (std::size_t i = below(max + 1); i > 0; --i) {
      auto each = text();
      if (std::find(out.begin(), out.end(), each) == out.end()) out.push_back(each);
    }
    return out;
  }
  std::int64_t number() {
    constexpr std::int64_t far = (std::int64_t{1} << 53) - 1;
    static const std::vector<std::int64_t> numbers{-far, -3, -1, 0, 1, 2, 3, 7, 93, far};
    return one_of(numbers);
  }
  AttributeValue value() {
    switch (below(4)) {
      case 0:
        return below(2) == 0;
      case 1:
        return number();
      case 2:
        return text();
      default:
        return texts(4);
    }
  }
  // Of some of the names "a", "b" … up to `names`.
  Attributes attributes(std::size_t names) {
    Attributes out;
    for (std::size_t i = 0; i < names; ++i) {
      if (below(4) > 0) out.emplace(std::string(1, static_cast<char>('a' + i)), value());
    }
    return out;
  }
  // Facets "a", "b" …, all ready.
  Schema schema(std::size_t facets) {
    std::vector<SchemaFacet> declared;
    for (std::size_t i = 0; i < facets; ++i) {
      Facet facet{std::string(1, static_cast<char>('a' + i)), static_cast<FacetType>(below(4))};
      if (facet.type == FacetType::choice && below(2) == 0) facet.values = {"S", "M", "L"};
      declared.push_back({static_cast<FacetNumber>(first_declared_number + i), {facet}});
    }
    return Schema(std::move(declared));
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace quire
