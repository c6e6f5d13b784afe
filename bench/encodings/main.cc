// The bytes and the time of a comment's `data` and of a cursor, in several encodings.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "measure.h"

namespace quire::bench {
namespace {

constexpr const char* usage =
    "quire_encodings [--json] FILE\n"
    "FILE: comments as `quire import` takes them; -: standard input.\n";

struct Figures {
  std::size_t comments;
  std::vector<DataFigures> data;
  double documents;
  std::vector<CursorFigures> cursors;
};

void print_json(const Figures& figures) {
  fmt::print(R"({{"comments":{},"documents":{:.2f},"data":[)", figures.comments, figures.documents);
  const char* between = "";
  for (const auto& row : figures.data) {
    fmt::print(R"({}{{"form":"{}","mean":{:.1f},"p50":{},"p99":{},"entry":{:.1f},)", between,
               row.form, row.mean, row.p50, row.p99, row.entry);
    fmt::print(R"("pageUnits":{:.3f},"anyPageUnits":{:.3f},"shareUnits":{:.3f},)", row.page_units,
               row.any_page_units, row.share_units);
    fmt::print(R"("wire":{:.0f},"decode":{:.2f},"encode":{:.2f}}})", row.wire, row.decode,
               row.encode);
    between = ",";
  }
  between = "],\"cursors\":[";
  for (const auto& row : figures.cursors) {
    fmt::print(R"({}{{"lists":{},"json":{:.1f},"jsonZipped":{:.1f},"protobuf":{:.1f},)", between,
               row.lists, row.json, row.json_zipped, row.protobuf);
    fmt::print(R"("protobufZipped":{:.1f},"ours":{:.1f}}})", row.protobuf_zipped, row.ours);
    between = ",";
  }
  fmt::print("]}}\n");
}

// Prints the tables as Markdown.
void print_tables(const Figures& figures) {
  fmt::print("{} comments\n\n", figures.comments);
  fmt::print(
      "| data | bytes, mean | p50 | p99 | index entry, bytes | read units, 20 newest | of products "
      "of any size | 8 newest of a list | answer with 20, bytes | decode, µs | encode, µs |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const auto& row : figures.data) {
    fmt::print(
        "| {} | {:.1f} | {} | {} | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} | {:.1f} | {:.1f} "
        "|\n",
        row.form, row.mean, row.p50, row.p99, row.entry, row.page_units, row.any_page_units,
        row.share_units, row.wire, row.decode, row.encode);
  }
  fmt::print("\nDocuments of 20 comments take {:.1f} µs to make.\n\n", figures.documents);
  fmt::print(
      "| lists | JSON | JSON, zlib | protobuf | protobuf, zlib | sealed position |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (std::size_t lists : {1, 2, 3, 5, 10, 20}) {
    const auto& row = figures.cursors.at(lists - 1);
    fmt::print("| {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", row.lists, row.json,
               row.json_zipped, row.protobuf, row.protobuf_zipped, row.ours);
  }
}

}  // namespace
}  // namespace quire::bench

int main(int argc, char** argv) try {
  using namespace quire::bench;
  const bool json = argc == 3 && std::string_view(argv[1]) == "--json";
  if (argc != 2 && !json) {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  auto comments = read_comments(argv[argc - 1]);
  Figures figures{comments.size(), measure_data(comments), measure_documents(comments),
                  measure_cursors(comments)};
  json ? print_json(figures) : print_tables(figures);
  return 0;
} catch (const std::exception& failure) {
  fmt::print(stderr, "{}\n", failure.what());
  return 1;
}
