#include "mapping/needed_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>

#include "mapping/path.h"
#include "model/validate.h"

namespace quire {
namespace {

namespace json = boost::json;

constexpr int first_records = 20;  // whose columns are told
constexpr std::size_t max_columns = 40;
constexpr int max_depth = 4;  // of paths that are told

// The paths of the values in an object, of which a list counts as its first element.
void add_paths(const json::object& object, const std::string& before, int depth,
               std::set<std::string>& paths) {
  for (const auto& [name, member] : object) {
    if (paths.size() >= max_columns) return;
    const auto* value = &member;
    if (const auto* array = value->if_array(); array && !array->empty()) value = &array->front();
    auto path = before + std::string(shortened(name));
    const auto* inner = value->if_object();
    if (inner && !inner->empty() && depth < max_depth)
      add_paths(*inner, path + ".", depth + 1, paths);
    else
      paths.insert(std::move(path));
  }
}

}  // namespace

NeededColumns::NeededColumns(const FileMapping& mapping, const Given& given, bool facts)
    : when_(mapping.when) {
  auto product = mapping.product;
  if (facts) {
    when_ = mapping.facts->when.value_or(when_);
    if (mapping.facts->product) product = mapping.facts->product;
    for (const auto& [name, field] : mapping.facts->told)
      if (name == "name") need(name, field);
  } else {
    need("rating", mapping.rating);
    need("created_at", mapping.created_at);
  }
  if (product && given.product.empty()) need("product", *product);
}

void NeededColumns::need(std::string_view name, const MappedField& field) {
  if (!field.columns.empty() && !field.fallback)
    missing_.push_back({std::string(name), field.columns});
}

// A text may be an object of JSON, so a path that leads into a column is found there, too.
void NeededColumns::look_at_header(const std::vector<std::string>& columns) {
  Record header;
  for (const auto& column : columns) header.members.emplace(column, "");
  std::erase_if(missing_, [&](const Field& field) {
    return std::any_of(field.columns.begin(), field.columns.end(), [&](const auto& path) {
      return std::any_of(columns.begin(), columns.end(),
                         [&](const auto& column) { return path.starts_with(column + "."); });
    });
  });
  find_in(header);
}

void NeededColumns::look(const Record& record) {
  if (!missing_.empty() && admits(record, when_)) find_in(record);
}

void NeededColumns::find_in(const Record& record) {
  std::erase_if(missing_, [&](const Field& field) {
    return std::any_of(field.columns.begin(), field.columns.end(), [&](const auto& column) {
      return each_at(record, column, [](const json::value&) { return true; });
    });
  });
  if (records_++ < first_records) add_paths(record.members, "", 1, columns_);
}

Status NeededColumns::found() const {
  if (missing_.empty() || records_ == 0) return Done{};
  std::vector<std::string> wanted;
  for (const auto& [name, columns] : missing_)
    wanted.push_back(fmt::format("{} in {}", name, fmt::join(columns, " or ")));
  return Error{ErrorCode::invalid_parameter,
               fmt::format("The mapping has {}, and the file has no such column. It has: {}{}. "
                           "--map new proposes a mapping for it.",
                           fmt::join(wanted, ", and "), fmt::join(columns_, ", "),
                           columns_.size() < max_columns ? "" : ", and more"),
               "map"};
}

}  // namespace quire
