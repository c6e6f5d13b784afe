#include "shop/shop_file.h"

#include <spdlog/spdlog.h>

#include <sstream>
#include <utility>

#include "base/clock.h"
#include "base/try.h"

namespace quire::shop {

Result<std::unique_ptr<ShopFile>> ShopFile::open(const std::string& path, SteadyClock clock) {
  FileTexts texts;
  TRY(auto shop, parse(path, texts));
  for (const auto& warning : shop.warnings) spdlog::warn("{}: {}", path, warning);
  return std::unique_ptr<ShopFile>(
      new ShopFile(path, std::move(texts), std::move(shop), std::move(clock)));
}

Result<std::unique_ptr<ShopFile>> ShopFile::of(const std::string& text) {
  FileTexts texts = {{"shop.toml", {.bytes = text}}};
  TRY(auto shop, parse("shop.toml", texts));
  return std::unique_ptr<ShopFile>(
      new ShopFile("shop.toml", std::move(texts), std::move(shop), std::chrono::steady_clock::now));
}

ShopFile::ShopFile(std::string path, FileTexts texts, Shop shop, SteadyClock clock)
    : path_(std::move(path)),
      clock_(std::move(clock)),
      judged_(texts),
      seen_(texts),
      seen_since_(clock_()),
      taken_(std::move(texts)),
      shop_(std::make_shared<const Shop>(std::move(shop))) {}

std::shared_ptr<const Shop> ShopFile::shop() const {
  std::lock_guard lock(mutex_);
  return shop_;
}

void ShopFile::watch(std::function<void()> changed) {
  thread_ =
      repeated(look_every, [this, changed = std::move(changed), seen = generation()]() mutable {
        look();
        auto before = std::exchange(seen, generation());
        if (before != seen) changed();
      });
}

void ShopFile::look() {
  std::lock_guard lock(looking_);
  FileTexts now;
  for (const auto& [path, text] : judged_) now.emplace(path, read_text(path));
  if (now != seen_) {
    seen_ = now;
    seen_since_ = clock_();
  }
  if (now != judged_ && clock_() - seen_since_ >= unchanged_for) judge(std::move(now));
}

void ShopFile::reload() {
  std::lock_guard lock(looking_);
  judge({});
}

void ShopFile::judge(FileTexts texts) {
  auto read = parse(path_, texts);
  seen_ = texts;
  judged_ = std::move(texts);
  if (!read) {
    std::istringstream lines(read.error().message);
    for (std::string line; std::getline(lines, line);) spdlog::error("{}", line);
    return spdlog::error("The shop file {} has faults: the shop stays as it was.", path_);
  }
  if (judged_ == taken_) return spdlog::info("the shop file {} is as it was", path_);
  taken_ = judged_;
  for (const auto& warning : read->warnings) spdlog::warn("{}: {}", path_, warning);
  auto taken = std::make_shared<const Shop>(std::move(*read));
  for (const auto& change : taken->looser_than(*shop()))
    spdlog::warn("{}: less strict: {}", path_, change);
  {
    std::lock_guard lock(mutex_);
    shop_ = std::move(taken);
  }
  ++generation_;
  spdlog::info("the shop file {} was read again", path_);
}

}  // namespace quire::shop
