// A table of comments with its stream, in memory: what is written, how its shards are cut, and what
// fails, a test decides. Time goes on by a millisecond with all that happens.
#pragma once

#include <algorithm>
#include <deque>
#include <set>

#include "base/clock.h"
#include "faults.h"
#include "model/facets.h"
#include "projection/source.h"

namespace quire {

using change::Change;
using change::Mark;
using change::Phase;
using change::State;
using change::Step;
using projection::Iterator;
using projection::Lease;
using projection::Leases;
using projection::Read;
using projection::Scanned;
using projection::Shard;
using projection::Stream;

class PlainStream : public projection::Source {
 public:
  static constexpr std::size_t buckets = 8;  // ids share them out; a shard has some of them

  struct Where {
    std::string product;
    Cell cell;
    friend bool operator==(const Where&, const Where&) = default;
  };
  struct Record {
    std::uint64_t number;
    std::vector<Change> changes;  // of one that is not about a comment: none
    std::uint64_t made_ms;
    std::size_t looks;  // that its shard had been given before
  };

  Calls calls;
  std::uint64_t now_ms = 1'700'000'000'000;
  std::string arn = "arn:1";
  std::size_t records_at_once = 7, ids_at_once = 5;
  std::size_t honest = 0;  // answers of a shard, at least, between two that are empty by a fault
  bool late = false;       // a record is not in the first answer after it was written
  std::map<Ulid, Where> comments;
  std::vector<Change> written;      // all changes there were
  std::deque<std::uint64_t> times;  // when, beside `written`
  std::map<std::string, Leases> all_leases;
  Schema facets = {};  // of the table

  PlainStream() { begin({}, {0, 1, 2, 3, 4, 5, 6, 7}); }

  Clock clock() {
    return [this] { return ++now_ms; };
  }

  // Puts a comment where it shall be; absent: removes it.
  void write(Ulid id, std::optional<Where> to) {
    std::optional<Where> from;
    if (auto at = comments.find(id); at != comments.end()) from = at->second;
    if (from == to) return;  // a stream tells nothing of it
    std::vector<Change> changes;
    bool moved = from && to && from->product != to->product;
    if (from && (moved || !to)) changes.push_back({from->product, id, from->cell, {}});
    if (to) changes.push_back({to->product, id, {}, to->cell});
    if (from && to && !moved) changes.back().from = from->cell;
    if (to) comments[id] = *to;
    if (!to) comments.erase(id);
    add(bucket_of(id), std::move(changes));
  }
  void write_other(std::size_t bucket) { add(bucket, {}); }

  // Closes the shard of a bucket; its child goes on.
  std::string roll(std::size_t bucket) {
    Line& line = line_of(bucket);
    auto all = line.buckets;
    close(line);
    return begin(line.shard.id, all);
  }
  // Two children do, where it has more than one bucket.
  void split(std::size_t bucket) {
    Line& line = line_of(bucket);
    auto all = line.buckets;
    close(line);
    auto half = std::next(all.begin(), static_cast<std::ptrdiff_t>((all.size() + 1) / 2));
    begin(line.shard.id, {all.begin(), half});
    if (half != all.end()) begin(line.shard.id, {half, all.end()});
  }
  // The first records of a shard are no longer kept; of a whole shard, nor is it known.
  void trim(const std::string& shard, std::size_t records) { line(shard).trimmed = records; }
  void drop(const std::string& shard) { line(shard).known = false; }
  // Switched off and on.
  void recreate() {
    for (auto& each : lines_) each.known = false;
    arn += "'";
    begin({}, {0, 1, 2, 3, 4, 5, 6, 7});
  }

  std::string shard_of(std::size_t bucket) { return line_of(bucket).shard.id; }
  static std::size_t bucket_of(const Ulid& id) { return id.bytes.back() % buckets; }
  std::size_t shards() const { return lines_.size(); }
  const std::deque<Record>& records(const std::string& shard) { return line(shard).records; }

  Awaitable<Result<Stream>> stream() override {
    if (co_await calls.begin("stream") != Fault::none) co_return down();
    Stream stream{arn, {}};
    for (const auto& each : lines_) {
      if (each.known) stream.shards.push_back(each.shard);
    }
    co_await calls.others();
    co_return stream;
  }

  Awaitable<Result<Iterator>> iterator(std::string of, std::string shard,
                                       std::string place) override {
    if (co_await calls.begin("iterator") != Fault::none) co_return down();
    Line& from = line(shard);
    std::size_t index = 0;
    while (!place.empty() && index < from.records.size() &&
           from.records[index].number <= std::stoull(place))
      ++index;
    if (place.empty()) index = from.trimmed;
    bool trimmed = !place.empty() && index <= from.trimmed && from.trimmed > 0;
    bool gone = of != arn || !from.known || trimmed;
    co_await calls.others();
    if (gone) co_return Iterator{{}, true};
    co_return Iterator{shard + "/" + std::to_string(index)};
  }

  Awaitable<Result<Read>> read(std::string iterator) override {
    ++now_ms;
    Fault what = co_await calls.begin("read");
    if (what == Fault::before || what == Fault::after) co_return down();
    if (what == Fault::expired) co_return Read{Read::Kind::expired};
    auto slash = iterator.find('/');
    Line& from = line(iterator.substr(0, slash));
    std::size_t index = std::stoull(iterator.substr(slash + 1));
    if (!from.known || index < from.trimmed) co_return Read{Read::Kind::gone};
    Read read{Read::Kind::records};
    if (what == Fault::empty && from.honest > 0) what = Fault::none;
    from.honest =
        what == Fault::empty ? honest : from.honest - std::min<std::size_t>(from.honest, 1);
    auto looks = from.looks++;
    while (what != Fault::empty && index < from.records.size() && read.records < records_at_once) {
      const Record& record = from.records[index];
      if (late && record.looks == looks) break;
      read.changes.insert(read.changes.end(), record.changes.begin(), record.changes.end());
      ++read.records, ++index;
      read.sequence = std::to_string(record.number);
      read.made_ms = record.made_ms;
    }
    bool ended = !from.shard.open && index == from.records.size();
    if (!ended) read.next = from.shard.id + "/" + std::to_string(index);
    max_read = std::max(max_read, read.records);
    co_await calls.others();
    co_return read;
  }
  std::size_t max_read = 0;  // records of one answer

  // A page is of all comments, so that of a segment's there may be none in it.
  Awaitable<Result<Scanned>> scan(std::size_t segment, std::size_t segments,
                                  std::string place) override {
    ++now_ms;
    if (co_await calls.begin("scan") != Fault::none) co_return down();
    Scanned scanned{{}, place, false};
    auto at = place.empty() ? comments.begin() : comments.upper_bound(*Ulid::parse(place));
    for (std::size_t i = 0; i < ids_at_once && at != comments.end(); ++i, ++at) {
      const auto& [id, where] = *at;
      scanned.read_to = id.text();
      if (id.bytes.back() % segments == segment)
        scanned.changes.push_back({where.product, id, {}, where.cell});
    }
    scanned.ended = at == comments.end();
    if (scanned.ended) scanned.read_to.clear();
    co_await calls.others();
    co_return scanned;
  }

  Awaitable<Result<Schema>> schema() override {
    Fault what = co_await calls.begin("schema");
    if (what != Fault::none) co_return down();
    Schema now = facets;
    co_return now;
  }

  Awaitable<Result<Leases>> leases(std::string projection) override {
    if (co_await calls.begin("leases") != Fault::none) co_return down();
    auto found = all_leases[projection];
    co_await calls.others();
    co_return found;
  }

  Awaitable<Result<bool>> put_lease(std::string projection, std::string shard,
                                    std::optional<Lease> before,
                                    std::optional<Lease> after) override {
    Fault what = co_await calls.begin("put_lease");
    if (what == Fault::before) co_return down();
    auto& leases = all_leases[projection];
    auto at = leases.find(shard);
    auto is = at == leases.end() ? std::nullopt : std::optional(at->second);
    bool right = is == before;
    if (right && after) leases[shard] = *after;
    if (right && !after) leases.erase(shard);
    co_await calls.others();
    if (what == Fault::after) co_return down();
    co_return right;
  }

 private:
  struct Line {
    Shard shard;
    std::set<std::size_t> buckets;
    std::deque<Record> records = {};
    std::size_t trimmed = 0;
    std::size_t looks = 0;
    std::size_t honest = 0;
    bool known = true;
  };

  std::string begin(std::string parent, std::set<std::size_t> of) {
    std::string id = "shard-" + std::to_string(lines_.size());
    lines_.push_back({{id, std::move(parent), true}, std::move(of)});
    return id;
  }
  static void close(Line& line) {
    line.shard.open = false;
    line.buckets.clear();
  }
  void add(std::size_t bucket, std::vector<Change> changes) {
    number_ += 1 + number_ % 97;  // of any lengths
    for (auto& change : changes) {
      change.sequence = std::to_string(number_);
      written.push_back(change);
      times.push_back(now_ms + 1);
    }
    Line& line = line_of(bucket);
    line.records.push_back({number_, std::move(changes), ++now_ms, line.looks});
  }
  Line& line_of(std::size_t bucket) {
    return *std::find_if(lines_.begin(), lines_.end(), [&](const Line& each) {
      return each.known && each.buckets.contains(bucket);
    });
  }
  Line& line(const std::string& shard) {
    return *std::find_if(lines_.begin(), lines_.end(),
                         [&](const Line& each) { return each.shard.id == shard; });
  }

  std::deque<Line> lines_;  // in the order in which they were begun
  std::uint64_t number_ = 3;
};

}  // namespace quire
