// Shows on standard error that a store is being upgraded, and the progress.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <optional>

#include "app/open.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {

class Upgrade {
 public:
  Upgrading shown() {
    return {[this](const std::string& sentence) {
              fmt::print(stderr, "quire: {}\n", printable(sentence));
              std::fflush(stderr);
              bar_.emplace("upgrading");
            },
            [this](double part, std::uint64_t entries) {
              if (bar_) bar_->show(part, entries);
            }};
  }

 private:
  std::optional<Progress> bar_;
};

}  // namespace quire::cli
