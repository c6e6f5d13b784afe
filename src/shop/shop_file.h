// The shop file of a running server: which changes count.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "quire/result.h"
#include "shop/reading.h"
#include "shop/shop.h"

namespace quire::shop {

// A change of the shop file, or of a file that it names, counts once the files have been unchanged
// for a second, because they may be read while they are being written, line by line. It counts as a
// whole: while there is a fault the shop stays as it was, and the faults are logged. So is what the
// change makes less strict.
class ShopFile {
 public:
  static constexpr std::chrono::milliseconds look_every{200}, unchanged_for{1000};
  using SteadyClock = std::function<std::chrono::steady_clock::time_point()>;

  // invalid_parameter: as read() says.
  static Result<std::unique_ptr<ShopFile>> open(const std::string& path,
                                                SteadyClock clock = std::chrono::steady_clock::now);

  // A shop of this text, which stays as it is. invalid_parameter, as above.
  static Result<std::unique_ptr<ShopFile>> of(const std::string& text);

  // Starts a thread that looks at the files until this is destroyed. A change counts within one and
  // a half seconds of the last write; then the thread calls `changed`, also after a reload().
  void watch(std::function<void()> changed = [] {});
  // Looks at the files now. Thread-safe.
  void look();
  // Takes the files as they are now. Thread-safe.
  void reload();

  // The present shop. Thread-safe.
  std::shared_ptr<const Shop> shop() const;
  // Another number after each change that counts. What was begun under the present number shows the
  // present shop or a newer one. Thread-safe.
  std::uint64_t generation() const { return generation_; }

 private:
  ShopFile(std::string path, FileTexts texts, Shop shop, SteadyClock clock);

  void judge(FileTexts texts);

  const std::string path_;
  const SteadyClock clock_;
  std::mutex looking_;  // guards the next four
  FileTexts judged_;    // of which the last judgement was made: the present shop, or its faults
  FileTexts seen_;      // by the last look
  std::chrono::steady_clock::time_point seen_since_;
  FileTexts taken_;  // of which the present shop was made
  mutable std::mutex mutex_;
  std::shared_ptr<const Shop> shop_;  // guarded by mutex_
  std::atomic<std::uint64_t> generation_ = 1;
  std::jthread thread_;  // declared last, so that it stops first
};

}  // namespace quire::shop
