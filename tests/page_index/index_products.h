// Contract of page indexes: the names of products and languages.
#pragma once

#include <sstream>

#include "page_index/index_marks.h"

namespace quire {

inline std::vector<std::string> odd_products() {
  std::istringstream text(
      "!|#|%|%2F|'|''; drop table members; --|/|/en|0|10|9|42|42/en|42#|PRODUCT#42|A|Z|A | a|a | |"
      "\"quoted\"|\\|\\n|_|A%_|*|a*|a?[b]|a|a b|a  b|aa|ab|a/b|{json}|á|a\xCC\x81|e|ß|ss|ﬀ|日本|"
      "😀|😀😀|ab😁|\xEF\xBF\xBD|\x7F");
  std::vector<std::string> names;
  for (std::string name; std::getline(text, name, '|');) names.push_back(name);
  for (std::string part : {"x", "%", "😀", "\\\"'é"}) {
    names.emplace_back();
    while (names.back().size() + part.size() <= 256) names.back() += part;
  }
  names.push_back(std::string(255, 'x') + "y");
  std::sort(names.begin(), names.end());
  return names;
}

// One comment in each product, all of the same time.
inline PlainCells plain_of(const std::vector<std::string>& names) {
  PlainCells plain;
  std::mt19937_64 random(1);
  for (const auto& name : names) plain.products[name][random_id(random)] = random_cell(random);
  return plain;
}

inline std::vector<Change> inserts(const PlainCells& plain) {
  std::vector<Change> changes;
  for (const auto& [product, comments] : plain.products) {
    for (const auto& [id, cell] : comments) changes.push_back({product, id, {}, cell});
  }
  return changes;
}

TEST_P(IndexContract, ProductsOfAnyNameAreKeptApart) {
  auto plain = plain_of(odd_products());
  put(inserts(plain));
  std::mt19937_64 random(2);
  expect_same(*index_, plain, random);
}

TEST_P(IndexContract, ProductsComeInTheOrderOfTheirBytes) {
  auto names = odd_products();
  auto changes = inserts(plain_of(names));
  std::mt19937_64 random(3);
  std::shuffle(changes.begin(), changes.end(), random);
  put(changes);
  for (std::size_t limit : {1, 7, 1000}) {
    std::vector<std::string> walked;
    for (;;) {
      auto page = products(walked.empty() ? "" : walked.back(), limit);
      ASSERT_LE(page.size(), limit);
      if (page.empty()) break;
      walked.insert(walked.end(), page.begin(), page.end());
      ASSERT_LE(walked.size(), names.size());
    }
    EXPECT_EQ(walked, names);
  }
  EXPECT_EQ(products("4", 1), std::vector<std::string>{"42"});  // a name that is no product
  EXPECT_TRUE(products("\xFF", 10).empty());
}

TEST_P(IndexContract, AProductDisappearsWithItsLastCommentAndComesBack) {
  Change one{"a/b", id_number(1), {}, english_five}, two{"a/b", id_number(2), {}, german_one};
  put({one, two, inserted(3)});
  put({{"a/b", id_number(1), english_five, {}}});
  EXPECT_EQ(products(), (std::vector<std::string>{"42", "a/b"}));
  EXPECT_EQ(languages("a/b"), std::set{german_one[language_facet]});
  put({{"a/b", id_number(2), german_one, {}}});
  EXPECT_EQ(products(), std::vector<std::string>{"42"});
  EXPECT_TRUE(languages("a/b").empty());
  EXPECT_TRUE(ids("a/b").empty());
  put({one});
  EXPECT_EQ(products(), (std::vector<std::string>{"42", "a/b"}));
  EXPECT_EQ(ids("a/b", english_five), std::vector{id_number(1)});
}

TEST_P(IndexContract, LanguagesAreThoseOfTheComments) {
  put({inserted(1), inserted(2, german_one), inserted(3, cell("yue", 2))});
  EXPECT_EQ(languages("42"), (std::set{german_one[0], english_five[0], cell("yue", 1)[0]}));
  put({{"42", id_number(3), cell("yue", 2), cell("de", 2)}});
  EXPECT_EQ(languages("42"), (std::set{german_one[0], english_five[0]}));
  EXPECT_TRUE(languages("4").empty());
}

}  // namespace quire
