#include "records/kind.h"

#include <algorithm>
#include <cctype>

#include "records/container.h"

namespace quire::records {
namespace {

using namespace std::string_view_literals;

struct Other {
  std::string_view begin;
  const char* sentence;
};

constexpr const char* compressed = "It is compressed, and not by gzip. Unpack it first.";
constexpr const char* workbook = "It is a workbook or another zip file. Save its sheet as CSV.";
constexpr const char* dump =
    "It is a dump of a SQL database. docs/moving.md has the SELECT that gives its rows as JSON "
    "lines.";

constexpr Other binary[] = {
    {"PK\x03\x04"sv, workbook},
    {"PK\x05\x06"sv, workbook},
    {"\xD0\xCF\x11\xE0"sv, "It is an old workbook. Save its sheet as CSV."},
    {"SQLite format 3"sv,
     "It is a database of SQLite. docs/moving.md has the SELECT that gives its rows as JSON "
     "lines."},
    {"PGDMP"sv, dump},
    {"%PDF"sv, "It is a PDF. Export the rows as CSV, JSON or XML."},
    {"BZh"sv, compressed},
    {"\xFD\x37zXZ"sv, compressed},
    {"\x28\xB5\x2F\xFD"sv, compressed},
    {"Rar!"sv, compressed},
    {"7z\xBC\xAF"sv, compressed},
    {"PAR1"sv, "It is a Parquet file. Export the rows as CSV or JSON lines."},
};

constexpr const char* page =
    "It is a web page, as a download gives that needs a login. Get the file itself.";

// In small letters.
constexpr Other texts[] = {
    {"<!doctype html", page},
    {"<html", page},
    {"-- ", dump},
    {"--\n", dump},
    {"--\r\n", dump},
    {"/*!", dump},
    {"insert into ", dump},
    {"create table ", dump},
    {"drop table ", dump},
    {"create database ", dump},
    {"set names ", dump},
    {"set sql_mode", dump},
    {"set statement_timeout", dump},
    {"set @", dump},
    {"set foreign_key", dump},
    {"pragma ", dump},
    {"begin transaction", dump},
    {"start transaction", dump},
    {"lock tables ", dump},
};

}  // namespace

Status check_bytes(std::string_view first) {
  for (const auto& [begin, sentence] : binary)
    if (first.starts_with(begin)) return fault(0, sentence);
  return Done{};
}

Result<std::optional<Kind>> kind_of(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of(blanks), head.size()));
  if (head.empty()) return std::optional<Kind>();
  std::string small(head.substr(0, 64));
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [begin, sentence] : texts)
    if (small.starts_with(begin)) return fault(0, sentence);
  if (head.find('\0') != head.npos)
    return fault(0, "It is no text. Quire reads CSV, JSON and XML, and each of them in gzip.");
  if (head.starts_with('<')) return std::optional(Kind::xml);
  return std::optional(head.starts_with('{') || head.starts_with('[') ? Kind::json : Kind::csv);
}

}  // namespace quire::records
