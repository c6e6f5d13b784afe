#include "app/app.h"

#include <filesystem>

#include "app/followed_table.h"
#include "base/try.h"

namespace quire {
namespace {

Result<std::vector<Seal::Key>> keys_of(const OpenStore& open, const AppOptions& options) {
  if (!options.cursors) return std::vector{Seal::Key{}};
  // Nothing is written to a table that others made: the keys lie beside its page index.
  constexpr std::string_view lmdb = "lmdb:";
  bool beside = is_adopted(options.store) && options.pages.starts_with(lmdb);
  if (options.cursor_keys.empty() && beside) {
    auto directory = options.pages.substr(lmdb.size());
    bool made = std::filesystem::is_directory(directory);
    return open_keys(KeyUse::cursors, directory + "/cursor-keys",
                     made ? options.access : Access::read);
  }
  if (options.cursor_keys.empty()) return open.keys(KeyUse::cursors, options.access);
  return open_keys(KeyUse::cursors, options.cursor_keys, Access::write);
}

}  // namespace

App::App(OpenStore open, std::unique_ptr<PageIndex> index, const std::vector<Seal::Key>& keys,
         const AppOptions& options)
    : open_(std::move(open)),
      index_(std::move(index)),
      comments_(*open_.store,
                make_listings(open_, options.pages, index_.get(), options.numbers_behind),
                Seal(keys)) {}

// The index is opened to be read: workers write it. It may be missing or away now.
Result<std::unique_ptr<App>> App::open(const AppOptions& options) {
  TRY(auto index, open_pages(options.pages, options.store, Access::read));
  TRY(auto open, open_store(options.store, options.access, index.get()));
  TRY(auto keys, keys_of(open, options));
  return std::unique_ptr<App>(new App(std::move(open), std::move(index), keys, options));
}

}  // namespace quire
