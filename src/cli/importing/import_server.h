// Sends the rows of an import to a server that runs: POST /v1/import, in parts.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/asking/asked_server.h"
#include "desk/import_counts.h"
#include "http/api/import_stream.h"
#include "service/importer.h"

namespace quire::cli {

struct ServerImportOptions {
  std::string server;      // its public URL
  std::string token_file;  // of a token with the scope import, and to update edit
  bool update = false;
  bool again = false;
  bool new_customers = false;
};

// Rows that wait, and those under way, take a few MiB. A part whose answer does not come whole is
// sent again, which adds nothing twice, because each row has an id. Not thread-safe.
class ServerImport {
 public:
  static constexpr std::size_t part_bytes = 1 << 20;
  // The server tells of so many rows which it refuses, and so of all.
  static constexpr std::size_t part_rows = http::ImportStream::max_told;

  // Told of a row that the server refuses: its number and text, as they were added, and the reason.
  using Rejected =
      std::function<void(std::uint64_t number, std::string_view row, std::string_view reason)>;

  // `rejected` is called by add() and finish(). Sends nothing yet. invalid_parameter: the URL is
  // none, or the file has no token.
  static Result<std::unique_ptr<ServerImport>> open(const ServerImportOptions& options,
                                                    Rejected rejected);
  ~ServerImport();

  // Adds a row of Quire's own on one line, without its end; one without an id gets that which
  // Importer would give it. `number`: the caller's, of the row. Sends a part where one is full, and
  // waits for the answer to the part before. An error concerns this row alone.
  Status add(std::string_view row, std::uint64_t number);
  // Begins a new file, as for Importer.
  void next_file();
  // Sends the rows that wait. An error: the server, or the way to it, has failed; rows of the parts
  // before stay.
  Status finish();
  // Present: no more rows are sent.
  const std::optional<Error>& failed() const { return failed_; }
  // Of the parts that were answered.
  const desk::ImportCounts& counts() const { return counts_; }

 private:
  struct SentRow {
    std::uint64_t number;
    std::string text;
  };
  struct Part {
    std::string body;
    std::vector<SentRow> rows;  // one for each line of the body
  };
  struct Refusal {
    std::size_t line;
    std::string reason;
  };
  struct Answer {
    desk::ImportCounts counts;
    std::vector<Refusal> refusals;
  };
  // Why there is no answer, and whether another try may help.
  struct Failure {
    Error error;
    bool passing;
  };
  using Tried = std::variant<Answer, Failure>;

  ServerImport(std::unique_ptr<AskedServer> server, std::string query, Rejected rejected);

  void append(std::string_view line, SentRow row);
  void flush();
  void join();
  // On a thread of their own.
  Result<Answer> send(const Part& part);
  Tried attempt(const std::string& body);
  static Tried answer_in(const std::string& body);

  const std::unique_ptr<AskedServer> server_;
  const std::string query_;
  const Rejected rejected_;
  RowIds ids_;
  std::string key_;  // the line that tells the key of the rows' customers; empty: there is none
  Part part_, sent_;
  std::future<Result<Answer>> sending_;  // of `sent_`
  std::optional<Error> failed_;
  desk::ImportCounts counts_;
};

}  // namespace quire::cli
