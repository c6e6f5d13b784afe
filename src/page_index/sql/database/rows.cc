#include "page_index/sql/database/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quire::sql {
namespace {

constexpr std::size_t max_rows = 500;       // per INSERT
constexpr std::size_t max_bytes = 500'000;  // about; MySQL takes a megabyte and more

void in_groups(const std::vector<std::string>& rows,
               const std::function<void(const std::string& some)>& run) {
  for (std::size_t i = 0; i < rows.size();) {
    std::string some = rows[i++];
    for (std::size_t count = 1; i < rows.size() && count < max_rows && some.size() < max_bytes;
         ++count)
      some += ", " + rows[i++];
    run(some);
  }
}

}  // namespace

void for_keys(Connection& connection, std::span<const std::string> keys,
              const std::function<void(const std::string& among)>& run) {
  auto most = connection.dialect().max_keys;
  for (; !keys.empty(); keys = keys.subspan(std::min(most, keys.size()))) {
    auto some = keys.first(std::min(most, keys.size()));
    run(connection.dialect().among(fmt::format("{}", fmt::join(some, ", "))));
  }
}

void replace(Connection& connection, const RowForm& form, const std::vector<std::string>& rows) {
  in_groups(rows, [&](const std::string& some) {
    connection.execute(connection.dialect().replace(form, some));
  });
}

void insert(Connection& connection, const RowForm& form, const std::vector<std::string>& rows) {
  in_groups(rows, [&](const std::string& some) {
    connection.execute(
        fmt::format("INSERT INTO {} ({}, {}) VALUES {}", form.table, form.key, form.rest, some));
  });
}

void remove(Connection& connection, const std::string& from, const std::string& key,
            std::span<const std::string> keys) {
  for_keys(connection, keys, [&](const std::string& among) {
    connection.execute("DELETE FROM " + from + " WHERE " + key + among);
  });
}

}  // namespace quire::sql
