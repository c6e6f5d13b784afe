#include "http/api/import_stream.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "desk/fields.h"
#include "http/problem.h"

namespace quire::http {
namespace {

namespace json = boost::json;

// Of one transaction, which takes some ten milliseconds: posts wait for it.
constexpr std::size_t batch_rows = 1'000;
constexpr std::size_t batch_bytes = 4 << 20;
constexpr std::size_t max_without_ids = 2'000'000;  // rows, each of some 30 bytes until the end
// Reports, and ids of removed comments, that wait until the comments before them are stored.
constexpr std::size_t max_waiting = 1'000;

// JSON has Unicode alone; a row may have any bytes.
std::string as_unicode(std::string_view bytes) {
  std::string out;
  icu::UnicodeString::fromUTF8({bytes.data(), static_cast<std::int32_t>(bytes.size())})
      .toUTF8String(out);
  return out;
}

}  // namespace

ImportStream::ImportStream(Store& store, Schema schema, ImportRequest request, ImportKeys keys,
                           Done done)
    : store_(store),
      request_(std::move(request)),
      done_(std::move(done)),
      languages_(store),
      importer_(
          [this](std::vector<ImportRow> batch) {
            return wait(store_.import_rows(std::move(batch), request_.terms));
          },
          std::min(store.batch(), batch_rows), system_ms(), std::move(schema), {},
          std::move(keys.hash_of), request_.new_customers ? nullptr : std::move(keys.same_key),
          [this](const Comment& comment) { return check(comment); }) {
  importer_.limit(batch_bytes, max_without_ids);
  if (request_.gzip) gunzip_.emplace();
}

Awaitable<bool> ImportStream::take(std::string_view bytes) {
  bool more = co_await thread_.run(taken(bytes));
  co_return more;
}

Awaitable<void> ImportStream::end(bool whole) {
  co_await thread_.run(ended(whole));
}

Awaitable<bool> ImportStream::taken(std::string_view bytes) {
  try {
    unpack(bytes);
  } catch (const std::exception& failure) {
    spdlog::error("an import failed: {}", failure.what());
    fail({ErrorCode::damaged, "Something here is broken. The server's log says more."});
  }
  co_return !failed_;
}

// A client that went away ends the import with the rows that came.
Awaitable<bool> ImportStream::ended(bool whole) {
  try {
    finish(whole);
  } catch (const std::exception& failure) {
    spdlog::error("an import failed: {}", failure.what());
    fail({ErrorCode::damaged, "Something here is broken. The server's log says more."});
  }
  std::exchange(done_, {})(counts());
  co_return true;
}

void ImportStream::unpack(std::string_view bytes) {
  if (!gunzip_) return cut(bytes);
  auto take = [this](std::string_view part) {
    cut(part);
    return !failed_;
  };
  if (!gunzip_->add(bytes, take))
    fail({ErrorCode::invalid_parameter,
          fmt::format("The body is no gzip data after line {}. The lines before were taken.",
                      number_)});
}

// Cuts the bytes into lines. Of a line that is too long, the rest is dropped.
void ImportStream::cut(std::string_view bytes) {
  while (!bytes.empty() && !failed_) {
    auto end = bytes.find('\n');
    auto part = bytes.substr(0, end);
    auto room = max_line - line_.size();
    too_long_ |= part.size() > room;
    line_ += part.substr(0, room);
    bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
    if (end != bytes.npos) take_line();
  }
}

void ImportStream::take_line() {
  ++number_;
  if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);  // a byte order mark
  if (line_.ends_with('\r')) line_.pop_back();
  if (too_long_)
    refuse("The line has over 1 MiB.");
  else if (!line_.empty())
    take_row();
  line_.clear();
  too_long_ = false;
}

void ImportStream::take_row() {
  auto& reports = importer_.reports();
  auto& removed = importer_.removed();
  auto before = std::pair(reports.size(), removed.size());
  auto taken = importer_.add(line_);
  if (importer_.failed()) return fail(*importer_.failed());
  if (!taken) return refuse(taken.error().message);
  bool nameless = before != std::pair(reports.size(), removed.size());
  if (nameless && !request_.terms.product.empty()) {
    reports.resize(before.first);
    removed.resize(before.second);
    return refuse("This token is for the products of its prefix, and this row names no product.");
  }
  if (reports.size() + removed.size() >= max_waiting) store_rest();
}

void ImportStream::store_rest() {
  if (auto finished = importer_.finish(); !finished) return fail(finished.error());
  auto reported = keep_reports(store_, std::exchange(importer_.reports(), {}));
  if (!reported) return fail(reported.error());
  if (importer_.removed().empty()) return;
  auto kept = wait(store_.keep_removed(std::exchange(importer_.removed(), {})));
  if (!kept) fail(kept.error());
}

void ImportStream::finish(bool whole) {
  bool cut_off = whole && gunzip_ && !gunzip_->complete();
  if (whole && !cut_off && !failed_ && !line_.empty()) take_line();  // without a line end
  if (!failed_) store_rest();
  if (cut_off && !failed_)
    fail({ErrorCode::invalid_parameter,
          fmt::format("The gzip data break off after line {}. The lines before were taken.",
                      number_)});
  if (failed_ || !whole) return;
  json::object summary;
  for (const auto& [name, count] : counts().named()) summary[name] = count;
  unsaid_ += json::serialize(summary) + "\n";
}

// The first ones are told, unless too much waits for the client already. All are counted.
void ImportStream::refuse(std::string_view reason) {
  if (++rejected_ > max_told) return;
  auto row = as_unicode(std::string_view(line_).substr(0, max_told_row));
  json::object refusal{{"line", number_}, {"reason", as_unicode(reason)}, {"row", std::move(row)}};
  auto text = json::serialize(refusal) + "\n";
  if (unsaid_.size() + text.size() <= max_unsaid) unsaid_ += text;
}

// The last line of the answer says why the import does not go on.
void ImportStream::fail(const Error& error) {
  if (std::exchange(failed_, true)) return;
  auto response = problem(error);
  put_below(request_.path, response);
  unsaid_ += response.body + "\n";
}

Status ImportStream::check(const Comment& comment) {
  const auto& prefix = request_.terms.product;
  if (!comment.product.starts_with(prefix)) return desk::beyond(prefix);
  auto* successors = prefix.empty() ? nullptr : store_.successors();
  auto to = successors ? successors->successor(comment.product) : std::nullopt;
  if (to && !to->starts_with(prefix)) return desk::beyond(prefix);
  return languages_.check(comment);
}

desk::ImportCounts ImportStream::counts() const {
  return desk::ImportCounts::of(importer_.counts(), rejected_);
}

}  // namespace quire::http
