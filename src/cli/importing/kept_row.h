// A row that is kept until a server has answered.
#pragma once

#include <cstdint>
#include <string>

#include "cli/importing/rejects.h"

namespace quire::cli {

class KeptRow {
 public:
  explicit KeptRow(const Origin& origin) : file_(origin.file), line_(origin.line) {
    if (const auto* record = std::get_if<const Record*>(&origin.row)) record_ = **record;
    const auto* text = std::get_if<std::string_view>(&origin.row);
    own_ = text != nullptr;
    if (text) text_ = *text;
  }

  // Valid as long as this.
  Origin origin() const {
    Origin origin{.file = file_, .line = line_, .row = &record_};
    if (own_) origin.row = std::string_view(text_);
    return origin;
  }

 private:
  std::string file_;
  std::uint64_t line_;
  bool own_ = false;  // Quire's own row: `text_` is it
  std::string text_;
  Record record_;
};

}  // namespace quire::cli
