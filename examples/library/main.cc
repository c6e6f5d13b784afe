// Adds a comment to a store in ./shop-data, and prints the first page of its product.
#include <quire/quire.h>

#include <iostream>

int main() {
  auto quire = quire::Quire::open("lmdb:./shop-data");
  if (!quire) {
    std::cerr << quire.error().message << '\n';
    return 1;
  }
  auto posted = quire->post({.product = "42", .language = "en", .rating = 5, .title = "Fits"});
  if (!posted) {
    std::cerr << posted.error().message << '\n';
    return 1;
  }
  auto page = quire->page({.product = "42", .ratings = {4, 5}}).value();
  for (const auto& comment : page.comments)
    std::cout << comment.rating << ' ' << comment.title << '\n';
}
