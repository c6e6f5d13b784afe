// What tests make go wrong in the sources and targets of their own.
#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>
#include <string>

#include "loop/awaitable.h"
#include "quire/result.h"

namespace quire {

enum class Fault {
  none,
  before,   // it fails, and nothing was done
  after,    // it fails, though it was done
  thrown,   // its process dies
  expired,  // of a read: the iterator
  empty,    // of a read: nothing comes, though there is something
};

// Counts calls by name, lets others go first at any point of one, and fails as it is told.
class Calls {
 public:
  std::function<Fault(const std::string& name)> fault;
  std::map<std::string, std::size_t> asked;
  std::size_t max_turns = 0;  // others may have, before a call does something and after it has

  std::size_t all() const {
    std::size_t sum = 0;
    for (const auto& [name, count] : asked) sum += count;
    return sum;
  }

  Awaitable<Fault> begin(std::string name) {
    ++asked[name];
    Fault what = fault ? fault(name) : Fault::none;
    co_await others();
    if (what == Fault::thrown) throw std::runtime_error("the process dies");
    co_return what;
  }

  Awaitable<void> others() {
    auto executor = co_await boost::asio::this_coro::executor;
    auto turns = max_turns > 0 ? random_() % (max_turns + 1) : 0;
    for (; turns > 0; --turns) co_await boost::asio::post(executor, boost::asio::use_awaitable);
  }

 private:
  std::mt19937_64 random_{20261122};
};

inline Error down() {
  return {ErrorCode::unavailable, "It is down."};
}

// From the k-th call on, of all that share it, the process is dead.
class Death {
 public:
  explicit Death(std::size_t at) : left_(at) {}
  Fault operator()(const std::string&) {
    if (left_ > 0) --left_;
    return left_ == 0 ? Fault::thrown : Fault::none;
  }
  bool came() const { return left_ == 0; }

 private:
  std::size_t left_;
};

}  // namespace quire
