// What Redis answers: as bytes in pieces, whose length the first byte says, and as what the page
// index makes of them.
#include "fuzz.h"
#include "loop/loop.h"
#include "page_index/redis/changes.h"
#include "page_index/redis/client/reply.h"
#include "page_index/redis/client/slots.h"
#include "page_index/redis/ranks.h"
#include "page_index/redis/state.h"

namespace quire::fuzz {
namespace {

using redis::Reply;

std::vector<Reply> read(std::string_view bytes, std::size_t piece) {
  std::vector<Reply> out;
  redis::Replies replies;
  while (!bytes.empty()) {
    replies.feed(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    while (auto reply = replies.next()) out.push_back(std::move(*reply));
    if (!replies.trouble().empty()) break;
  }
  require(replies.trouble().empty() || !replies.next(), "after trouble nothing more comes");
  return out;
}

// Asks one after the other, and gets the replies in turn, from the n-th on.
class Index {
 public:
  explicit Index(const std::vector<Reply>& replies) : replies_(replies) {}

  redis::RedisRanks ranks(std::size_t from) {
    next_ = from;
    return {redis::Keys("t"), [this](unsigned, redis::Call) { return answer(); }};
  }

 private:
  Awaitable<Result<Reply>> answer() {
    if (next_ >= replies_.size()) co_return redis::unexpected_answer();
    const auto& reply = replies_[next_++];
    if (reply.is(Reply::Kind::refusal)) co_return redis::refused(reply.bytes);
    co_return reply;
  }

  const std::vector<Reply>& replies_;
  std::size_t next_ = 0;
};

void ask(const std::vector<Reply>& replies, std::size_t from) {
  const std::vector<Cell> lists{cell("de", 1), cell("en", 5)};
  const Ulid id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value();
  Index index(replies);
  auto ranks = index.ranks(from);
  auto lengths = wait(ranks.lengths("42", lists));
  if (lengths) require(lengths->size() == lists.size(), "each list has a length");
  ranks = index.ranks(from);
  std::vector<RankRange> ranges{{lists[0], 0, 3}, {lists[1], 7, 1}};
  auto slices = wait(ranks.slices("42", ranges));
  if (slices) {
    require(slices->size() == ranges.size(), "each range has a slice");
    for (std::size_t i = 0; i < ranges.size(); ++i)
      require((*slices)[i].size() <= ranges[i].count, "a slice is no longer than its range");
  }
  ranks = index.ranks(from);
  auto each = wait(ranks.ranks("42", lists, id));
  if (each) require(each->size() == lists.size(), "each list has a rank");
  ranks = index.ranks(from);
  (void)wait(ranks.nth_of_union("42", lists, 10, 3));
}

void check_state(const Reply& reply) {
  auto known = redis::known_of(reply);
  if (!known) return;
  for (const auto& [shard, mark] : known->state.marks)
    require(redis::mark_text(mark).ends_with(mark.read_to), "a mark is written as it was read");
  time_text(change::as_of_ms(known->state));
}

// The map of a cluster, and a refusal that names another node.
void check_slots(const Reply& reply) {
  const redis::Endpoint asked{"h", "1"};
  auto map = redis::SlotMap::parse(reply, asked);
  if (map) require(!map->at(0) || !map->at(0)->where.port.empty(), "a node has a port");
  auto to = redis::redirection_of(reply.bytes, asked);
  if (to) require(to->slot < redis::slot_count, "a slot is one of the cluster's");
}

void check_step(std::string_view bytes) {
  auto step = redis::parse_step(bytes);
  if (step) require(redis::parse_step(redis::text_of(*step)) == step, "a step is read as written");
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  auto [bytes, piece] = pieces_of(data, size);
  auto replies = read(bytes, piece);
  check_step(bytes);
  for (std::size_t i = 0; i < replies.size() && i < 8; ++i) {
    check_state(replies[i]);
    check_slots(replies[i]);
    ask(replies, i);
  }
  return 0;
}
