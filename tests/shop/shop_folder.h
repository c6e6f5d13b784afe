// A folder with a shop file, and the files that it names.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "shop/reading.h"
#include "temporary_directory.h"

namespace quire::shop {

class ShopFolder : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    auto path = directory_.path() + "/" + name;
    std::ofstream(path) << text;
    chmod(path.c_str(), 0600);  // nobody else reads a secret
  }
  Result<Shop> read_file(const std::string& text) {
    write("shop.toml", text);
    return read(path_);
  }
  // The faults, a line each, without the folder.
  std::string faults(const std::string& text) {
    auto shop = read_file(text);
    if (shop) return "";
    auto out = shop.error().message;
    for (std::size_t at; (at = out.find(directory_.path() + "/")) != out.npos;)
      out.erase(at, directory_.path().size() + 1);
    return out;
  }

  TemporaryDirectory directory_;
  std::string path_ = directory_.path() + "/shop.toml";
};

}  // namespace quire::shop
