// The names of languages and countries, kept because ICU takes long to find one.
#pragma once

#include <unicode/locdspnm.h>
#include <unicode/locid.h>

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace quire::texts {

// Thread-safe.
class KeptNames {
 public:
  explicit KeptNames(const icu::Locale& locale);

  // The code itself where no name is known.
  std::string language(const std::string& tag);
  std::string country(const std::string& code);

 private:
  template <class Find>
  std::string find(char kind, const std::string& code, Find find_name);

  std::mutex asking_;
  const std::unique_ptr<icu::LocaleDisplayNames> names_;  // guarded by asking_
  std::shared_mutex mutex_;
  std::unordered_map<std::string, std::string> known_;  // guarded by mutex_; at most max_known
};

}  // namespace quire::texts
