// Opens addresses into running parts, for the server, the commands and the library.
// Only this folder and tests name backends. This header opens comments: the store, its page
// index and the keys of its cursors, with the service over them.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/open.h"
#include "base/backend.h"
#include "identity/customers.h"
#include "page_index/page_index.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire {

struct AppOptions {
  std::string store;
  std::string pages = {};  // as open_pages() takes it
  Access access = Access::read;
  std::string cursor_keys = {};  // the key file; empty: the keys are kept with the comments
  bool cursors = true;           // false: no page is asked for, so no keys are needed
  // A page index that is further behind the table numbers nothing.
  std::chrono::seconds numbers_behind{60};
};

class App {
 public:
  static Result<std::unique_ptr<App>> open(const AppOptions& options);

  Comments& comments() { return comments_; }
  const OpenStore& store() const { return open_; }
  // See customer_key_of().
  Result<identity::CustomerKey> customer_key(const std::string& file, Access access) const {
    return customer_key_of(open_, file, access);
  }
  // See has_customer_key().
  Status has_customer_key(const std::string& file, std::string_view check) const {
    return quire::has_customer_key(open_, file, check);
  }
  // Copies the store, consistently, into a new or empty directory.
  Result<std::string> backup(const std::string& directory) const { return open_.backup(directory); }

 private:
  App(OpenStore open, std::unique_ptr<PageIndex> index, const std::vector<Seal::Key>& keys,
      const AppOptions& options);

  OpenStore open_;
  std::unique_ptr<PageIndex> index_;  // null: there is none beside the store
  Comments comments_;
};

}  // namespace quire
