// A store that a command changes: itself, or beside another process that writes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/open.h"
#include "quire/result.h"

namespace quire {

inline constexpr std::string_view embedded_scheme = "lmdb:";

// An embedded store that another process writes. A process never has a directory open twice, so it
// is opened for each read and each change.
struct Beside {
  std::string address;
  Error refused;  // why this process may not write

  std::string directory() const { return address.substr(embedded_scheme.size()); }
  // The outcome of a change. What makes both ways unavailable is why this process may not write.
  Status outcome(Status changed) const;
};

// One of both is there.
struct ChangedStore {
  OpenStore open;
  std::optional<Beside> beside;
};

// Opens the store to write. Where another process writes an embedded one, beside that process.
// `index`: see open_store(). Errors: those of open_store().
Result<ChangedStore> open_to_change(const std::string& address, PageIndex* index = nullptr);

}  // namespace quire
