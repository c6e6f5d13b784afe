#include "merge/merge.h"

#include <algorithm>

#include "base/ensure.h"
#include "model/document.h"

namespace quire {

void Stream::feed(Slice slice) {
  QUIRE_ENSURE(head() == Head::pending);
  // An empty slice need not be the end: some stores filter after they read.
  if (!slice.entries.empty()) after_ = slice.entries.back().id;
  entries_ = std::move(slice.entries);
  next_ = 0;
  ended_ = slice.end;
}

Merge::Merge(std::size_t lists, Order order, std::optional<Ulid> after, std::size_t wanted,
             const Filter& residual)
    : streams_(lists, Stream(after)), order_(order), wanted_(wanted), residual_(residual) {
  filtered_ =
      !residual.clauses.empty() || std::any_of(residual.values.begin(), residual.values.end(),
                                               [](const auto& values) { return !values.empty(); });
}

std::vector<std::size_t> Merge::advance() {
  while (rows_.size() < wanted_) {
    auto dry = pending();
    if (!dry.empty()) return dry;
    Stream* stream = first();
    if (!stream) break;
    take(stream->front());
    stream->pop();
  }
  return {};
}

void Merge::feed(std::size_t list, Slice slice) {
  read_ += slice.entries.size();
  streams_[list].feed(std::move(slice));
}

// No entry can be taken while the next entry of a list is unknown: that entry may come first.
std::vector<std::size_t> Merge::pending() const {
  std::vector<std::size_t> lists;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].head() == Stream::Head::pending) lists.push_back(i);
  }
  return lists;
}

Stream* Merge::first() {
  Stream* best = nullptr;
  for (auto& stream : streams_) {
    if (stream.head() != Stream::Head::entry) continue;
    if (!best || precedes(stream.front().id, best->front().id, order_)) best = &stream;
  }
  return best;
}

// A comment that a writer moves from list to list is in both for a moment.
void Merge::take(const Entry& entry) {
  if (reached_ == entry.id) return;
  reached_ = entry.id;
  if (!filtered_ || keeps(entry.document)) rows_.push_back(entry);
}

// What the cell cannot tell is read from the comment, which costs more. A damaged comment is not
// known to match.
bool Merge::keeps(std::string_view document) const {
  if (!residual_.matches(document_cell(document))) return false;
  if (residual_.clauses.empty()) return true;
  auto comment = decode_document(document);
  return comment && residual_.matches(*comment);
}

}  // namespace quire
