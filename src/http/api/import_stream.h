// An import that a request brings: JSON Lines as they come, in bounded memory, and an answer of
// JSON Lines meanwhile.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "desk/import_counts.h"
#include "http/encoding/gunzip.h"
#include "http/message.h"
#include "loop/loop.h"
#include "model/schema.h"
#include "service/comments.h"
#include "service/importer.h"
#include "service/product_languages.h"

namespace quire::http {

// What the request asks for, and its token allows.
struct ImportRequest {
  bool gzip = false;           // the body is compressed
  bool new_customers = false;  // rows of customers under another key are taken
  ImportTerms terms = {};      // with the prefix of the products that the token may write to
  std::string path = {};       // of the public URL, below which problems are explained
};

// What tells the customers of rows; see Importer.
struct ImportKeys {
  Importer::HashOf hash_of = {};
  Importer::SameKey same_key = {};
};

// Rows are parsed and stored on a thread of its own, so that the connection's loop serves others.
class ImportStream : public BodyTaker {
 public:
  static constexpr std::size_t max_told = 1'000;        // rows that are not taken, each with a line
  static constexpr std::size_t max_line = 1 << 20;      // bytes of a row
  static constexpr std::size_t max_told_row = 1 << 18;  // bytes of a row that the answer has
  static constexpr std::size_t max_unsaid = 4 << 20;    // bytes that wait for a client

  // `done` is called once at the end, on the thread of the import, with the counts so far.
  using Done = std::function<void(const desk::ImportCounts&)>;

  // The store must outlive this.
  ImportStream(Store& store, Schema schema, ImportRequest request, ImportKeys keys, Done done);

  Awaitable<bool> take(std::string_view bytes) override;
  Awaitable<void> end(bool whole) override;
  std::string said() override { return std::exchange(unsaid_, {}); }

 private:
  // These run on the thread of the import.
  Awaitable<bool> taken(std::string_view bytes);
  Awaitable<bool> ended(bool whole);
  void unpack(std::string_view bytes);
  void cut(std::string_view bytes);
  void take_line();
  void take_row();
  void store_rest();
  void finish(bool whole);
  void refuse(std::string_view reason);
  void fail(const Error& error);
  Status check(const Comment& comment);
  desk::ImportCounts counts() const;

  Store& store_;
  const ImportRequest request_;
  Done done_;
  std::optional<Gunzip> gunzip_;
  std::string line_;  // as far as it came
  bool too_long_ = false;
  std::uint64_t number_ = 0;  // of the line
  std::uint64_t rejected_ = 0;
  bool failed_ = false;
  std::string unsaid_;
  ProductLanguages languages_;
  Importer importer_;
  LoopThread thread_;  // declared last, so that it ends first
};

}  // namespace quire::http
