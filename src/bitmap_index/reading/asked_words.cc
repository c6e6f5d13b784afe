#include "bitmap_index/reading/asked_words.h"

#include <algorithm>
#include <utility>

namespace quire::bitmap_index {

AskedWords::AskedWords(const word_index::Databases& databases, const lmdb::Transaction& txn,
                       Product product, std::span<const std::string> plain_words)
    : databases_(databases),
      txn_(txn),
      product_(product),
      index_(databases, txn),
      question_(words::question_of(plain_words, index_.stemmers())),
      matches_(question_, index_.stemmers(), index_.rows(), index_.segments()) {}

Awaitable<void> AskedWords::ask_segments(std::uint64_t blocks) {
  std::vector<bool> wanted(segments());
  if (segments() > blocks + 1) {
    auto runs = rows();
    for (runs.seek({}); runs.there(); runs.next())
      matches_.name(word_index::Runs::decode(runs.value()), wanted);
  } else {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      auto product = index_.segments()[i].product;
      wanted[i] = product == 0 || product == product_ + 1;
    }
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) matches_.ask(i);
    if (turn_is_over()) co_await next_turn();
  }
}

std::uint64_t AskedWords::max_matches(std::uint64_t length, std::uint64_t blocks) {
  if (segments() > blocks + 1) return length;
  if (!max_matches_) max_matches_ = matches_.most_of(product_);
  return std::min(length, *max_matches_);
}

void WordColumn::Block::swap(Block& other) {
  bits.swap(other.bits);
  std::swap(ids, other.ids);
  std::swap(some, other.some);
}

bool WordColumn::fetch(const Ulid& start) {
  rows_.advance(start);
  if (!rows_.at(start)) contradict("a block has ids and no words");
  runs_.read(rows_.value());
  ids_passed_ += runs_.ids();
  return look(runs_, next_);
}

void WordColumn::move_to(const Ulid& start) {
  look(asked_.runs(start), present_);
}

bool WordColumn::look(const word_index::Runs& runs, Block& block) {
  block.ids = runs.ids();
  block.some = asked_.of_block(runs, block.bits);
  return block.some;
}

}  // namespace quire::bitmap_index
