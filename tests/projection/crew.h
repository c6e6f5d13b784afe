// Workers at one stream and one target, on one thread, each with a loop of its own: so one can be
// killed between any two things it does, as a process is.
#pragma once

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <thread>

#include "plain_target.h"
#include "projection/worker.h"

namespace quire {

using projection::Worker;

// As fast as tests want it.
inline projection::Pace hurried() {
  projection::Pace pace;
  pace.max_record_delay = Milliseconds(0);
  pace.visible_after = Milliseconds(1);
  pace.poll = Milliseconds(1);
  pace.beat = Milliseconds(10);
  pace.takeover_after = Milliseconds(100);
  pace.retry_delay = Milliseconds(1);
  pace.wait_step = Milliseconds(1);
  return pace;
}

inline State following(const PlainStream& stream) {
  State state{Phase::following, "e", stream.arn, {}};
  state.marks["shard-0"] = {};
  return state;
}

class Crew {
 public:
  // A worker's, or another's task.
  struct Member {
    std::unique_ptr<Worker> worker;
    std::unique_ptr<boost::asio::io_context> loop;  // is gone before what runs on it
    bool ended = false;
  };

  std::deque<Member> members;

  // What goes wrong does so on purpose.
  Crew() { spdlog::set_level(spdlog::level::off); }

  Member& hire(PlainStream& stream, change::Target& target, projection::Pace pace = hurried(),
               std::function<Awaitable<bool>()> begin = {}) {
    Worker::Options options;
    options.pace = pace;
    options.begin = std::move(begin);
    return hire(stream, target, std::move(options));
  }

  Member& hire(PlainStream& stream, change::Target& target, Worker::Options options) {
    options.projection = "p";
    options.owner = "worker-" + std::to_string(++hired_);
    options.clock = stream.clock();
    Member& member = members.emplace_back();
    member.worker = std::make_unique<Worker>(stream, target, std::move(options));
    run(member, member.worker->run());
    return member;
  }

  // Runs any other task beside them.
  Member& run(Awaitable<void> task) {
    Member& member = members.emplace_back();
    run(member, std::move(task));
    return member;
  }

  static void kill(Member& member) {
    member.loop.reset();
    member.worker.reset();
  }

  // A turn of each. False: there was nothing to do just now.
  bool turn() {
    bool busy = false;
    for (auto& member : members) busy |= member.loop && member.loop->poll_one() > 0;
    return busy;
  }
  void turns(std::size_t count) {
    for (; count > 0; --count) turn();
  }
  // For so long.
  void spend(Milliseconds time) {
    auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until) turn_or_sleep();
  }

  // Until it is so; false and a failure: it never was.
  [[nodiscard]] bool until(const std::function<bool()>& so) {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!so()) {
      if (std::chrono::steady_clock::now() > deadline) {
        ADD_FAILURE() << "it never came to be";
        return false;
      }
      turn_or_sleep();
    }
    return true;
  }

  // Until all of them have ended.
  [[nodiscard]] bool stop() {
    for (auto& member : members) {
      if (member.worker) member.worker->stop();
    }
    return until([&] {
      return std::all_of(members.begin(), members.end(),
                         [](const Member& each) { return !each.loop || each.ended; });
    });
  }

 private:
  void turn_or_sleep() {
    if (!turn()) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }

  static void run(Member& member, Awaitable<void> task) {
    member.loop = std::make_unique<boost::asio::io_context>(1);
    boost::asio::co_spawn(*member.loop, std::move(task), [&member](std::exception_ptr) {
      member.ended = true;  // also of an exception, which is how tests let a process die
    });
  }

  std::size_t hired_ = 0;
};

// Whether everything that was written is applied, as the marks tell.
inline bool in_step(PlainStream& stream, const PlainTarget& target) {
  return target.applied.size() >= stream.written.size();
}

// Each change once, and those of a comment in their order; and so the lists are as they must be.
inline void expect_exact(const PlainStream& stream, const PlainTarget& target) {
  EXPECT_EQ(target.applied.size(), stream.written.size());
  EXPECT_TRUE(by_comment(target.applied) == by_comment(stream.written));
  EXPECT_TRUE(target.lists == lists_of(stream));
}

// Writes at random: new comments, moved and removed ones, and what is about none.
class Writer {
 public:
  Writer(PlainStream& stream, std::uint64_t seed) : stream_(stream), random_(seed) {}

  // Ids come in any order; few enough that each has a history.
  void write() {
    constexpr const char* languages[] = {"de", "en", "fr"};
    constexpr const char* products[] = {"42", "43", "a/b"};
    auto number = random_() % 60;
    Ulid id = Ulid::make(1'700'000'000'000 + number % 7,
                         {0, 0, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint8_t>(number)});
    PlainStream::Where to{products[random_() % 3], cell(languages[random_() % 3], 1)};
    to.cell[rating_facet] = static_cast<FacetValue>(random_() % 5 + 1);
    auto at = stream_.comments.find(id);
    if (at != stream_.comments.end() && random_() % 8 > 0) to.product = at->second.product;
    stream_.write(id, random_() % 4 == 0 ? std::nullopt : std::optional(to));
  }
  void write(std::size_t times) {
    for (; times > 0; --times) write();
  }
  // That, or a shard ends.
  void wander() {
    auto bucket = random_() % PlainStream::buckets;
    switch (random_() % 40) {
      case 0:
        return (void)stream_.roll(bucket);
      case 1:
        return stream_.split(bucket);
      case 2:
      case 3:
      case 4:
        return stream_.write_other(bucket);
      default:
        return write();
    }
  }

  std::mt19937_64& random() { return random_; }

 private:
  PlainStream& stream_;
  std::mt19937_64 random_;
};

}  // namespace quire
