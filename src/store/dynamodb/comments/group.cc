#include "store/dynamodb/comments/group.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <numeric>

namespace quire::dynamodb {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

Queues::Place::Place(Queues& queues, const std::string& product, Submission& submission)
    : queues_(queues), at_(queues.queues_.try_emplace(product).first), submission_(submission) {
  ++at_->second.places;
}

Queues::Place::~Place() {
  Queue& queue = at_->second;
  std::erase(queue.waiting, &submission_);
  if (queue.leader == &submission_) {
    auto next = std::find_if(queue.waiting.begin(), queue.waiting.end(),
                             [](const Submission* each) { return !each->result; });
    queue.leader = next == queue.waiting.end() ? nullptr : *next;
    if (queue.leader) queue.leader->woken.cancel();
  }
  if (--queue.places == 0) queues_.queues_.erase(at_);
}

Awaitable<bool> Queues::Place::enter(Clock::time_point deadline) {
  Queue& queue = at_->second;
  if (!queue.leader) queue.leader = &submission_;
  if (queue.leader == &submission_) co_return true;
  if (queue.waiting.size() >= max_waiting) co_return false;
  queue.waiting.push_back(&submission_);
  while (queue.leader != &submission_ && !submission_.result) {
    // A group that has the submission comes to an end by itself.
    if (!submission_.grouped && Clock::now() >= deadline) co_return false;
    submission_.woken.expires_at(submission_.grouped ? Clock::time_point::max() : deadline);
    boost::system::error_code cancelled;
    co_await submission_.woken.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
  std::erase(queue.waiting, &submission_);
  co_return queue.leader == &submission_;
}

// A submission to several products may hold the right to lead in another queue, so it goes by
// itself.
void Queues::Place::gather(Group& group) {
  for (auto* each : at_->second.waiting) {
    bool free = !each->grouped && !each->result && each->room.products().size() == 1;
    if (free) group.add(*each);
  }
}

namespace {

using About = Transaction::About;

// The writes and keys of submissions in the order in which a transaction has them.
struct Contents {
  std::vector<const CommentWrite*> writes;
  std::vector<std::pair<Submission*, std::size_t>> of_write;  // which of its writes
  std::vector<const KeyPut*> keys;
  std::vector<Submission*> of_key;
};

Contents contents_of(const std::vector<Submission*>& members) {
  Contents out;
  for (auto* member : members) {
    for (auto i : member->left) {
      out.writes.push_back(&member->writes[i]);
      out.of_write.emplace_back(member, i);
    }
    if (!member->key) continue;
    out.keys.push_back(&*member->key);
    out.of_key.push_back(member);
  }
  return out;
}

Room room_of(const std::vector<CommentWrite>& writes, const std::optional<KeyPut>& key) {
  Room room;
  for (const auto& write : writes) room.add(Room(write));
  if (key) room.add(Room(key->item));
  return room;
}

}  // namespace

Submission::Submission(boost::asio::io_context& context, std::vector<CommentWrite> all,
                       std::optional<KeyPut> put)
    : writes(std::move(all)),
      key(std::move(put)),
      room(room_of(writes, key)),
      left(writes.size()),
      woken(context) {
  std::iota(left.begin(), left.end(), std::size_t{0});
  outcome.made.resize(writes.size());
}

Group::Group(Submission& leader, std::size_t max) : leader_(leader), room_(leader.room), max_(max) {
  members_.push_back(&leader);
  leader.grouped = true;
}

Group::~Group() {
  for (auto* member : members_) release(*member);
}

bool Group::add(Submission& submission) {
  if (leader_.alone || submission.alone || !room_.fits(submission.room, max_)) return false;
  room_.add(submission.room);
  submission.grouped = true;
  members_.push_back(&submission);
  return true;
}

Transaction Group::transaction(const KnownTotals& totals, std::size_t leader_shards) const {
  auto contents = contents_of(members_);
  return transaction_of(contents.writes, totals, leader_shards, contents.keys);
}

void Group::succeed() {
  for (auto* member : members_) {
    for (auto i : member->left) member->outcome.made[i] = true;
    member->result = std::move(member->outcome);
  }
  release_finished();
}

Group::Refused Group::refuse(const Transaction& transaction, const Failure& failure) {
  Refused refused;
  auto contents = contents_of(members_);
  for (std::size_t i = 0; i < transaction.about.size(); ++i) {
    if (!failure.refused(i)) continue;
    const About& about = transaction.about[i];
    if (about.kind == About::Kind::statistics) refused.statistics = true;
    if (about.kind != About::Kind::statistics) refused.caller = true;
    if (about.kind == About::Kind::key) contents.of_key[about.index]->outcome.known_key = true;
    bool beside = about.kind == About::Kind::beside;
    if (about.kind != About::Kind::write && !beside) continue;
    auto [member, write] = contents.of_write[about.index];
    bool refused_itself = std::erase(member->left, write) == 0;
    member->outcome.beside |= beside && !refused_itself;
  }
  for (auto* member : members_) {
    if (member->outcome.known_key || member->left.empty()) member->result = member->outcome;
  }
  release_finished();
  return refused;
}

void Group::fail(const Error& error) {
  for (auto* member : members_) member->result = error;
  release_finished();
}

void Group::part() {
  leader_.alone = true;
  for (auto* member : members_) {
    member->alone = true;
    if (member != &leader_) release(*member);
  }
  members_.assign(1, &leader_);
  room_ = leader_.room;
}

void Group::release(Submission& submission) {
  submission.grouped = false;
  submission.woken.cancel();
}

void Group::release_finished() {
  std::erase_if(members_, [&](Submission* member) {
    if (!member->result) return false;
    release(*member);
    return true;
  });
}

}  // namespace quire::dynamodb
