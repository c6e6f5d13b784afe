#include "store/dynamodb/comments/queues.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

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

}  // namespace quire::dynamodb
