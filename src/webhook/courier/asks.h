// What the operator asks of a courier that runs, or that will: a line each, in a file beside the
// store. docs/formats/webhooks.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quire/result.h"

namespace quire::webhook {

struct Ask {
  enum class Deed { retry, skip };
  Deed deed;
  std::string webhook;  // its name
  std::string id;       // of a message; empty: all of the webhook

  friend bool operator==(const Ask&, const Ask&) = default;
};

// The file in the directory of an embedded store.
std::string asks_file(const std::string& directory);

// Adds a line. Other processes may do so at the same time. unavailable.
Status leave_ask(const std::string& file, const Ask& ask);

// The asks that were left. Until this is destroyed, nobody can leave another one.
class LeftAsks {
 public:
  // Absent: nobody asked for anything, or the file cannot be read.
  static std::optional<LeftAsks> open(const std::string& file);
  LeftAsks(LeftAsks&& other) noexcept;
  LeftAsks& operator=(LeftAsks&&) = delete;
  ~LeftAsks();

  const std::vector<Ask>& asks() const { return asks_; }
  // They were obeyed.
  void clear();

 private:
  LeftAsks(int file, std::vector<Ask> asks);

  int file_;
  std::vector<Ask> asks_;
};

}  // namespace quire::webhook
