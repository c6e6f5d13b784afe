// Values that wait, in a line for each client. The lines take turns, so a long one delays a client
// by one value, and not by all that wait.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <unordered_map>
#include <utility>

namespace quire {

template <class T>
class Lines {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // How many values of this client wait.
  std::size_t of(std::uint64_t client) const {
    auto line = lines_.find(client);
    return line == lines_.end() ? 0 : line->second.size();
  }

  void add(std::uint64_t client, T value) {
    auto& line = lines_[client];
    if (line.empty()) order_.push_back(client);
    line.push_back(std::move(value));
    ++size_;
  }
  // Takes the first value of the line whose turn it is, with its client. There must be one.
  std::pair<std::uint64_t, T> take() {
    auto client = order_.front();
    order_.pop_front();
    auto line = lines_.find(client);
    T value = std::move(line->second.front());
    line->second.pop_front();
    --size_;
    if (line->second.empty())
      lines_.erase(line);
    else
      order_.push_back(client);
    return {client, std::move(value)};
  }
  // Removes a value that waits in the line of this client.
  void remove(std::uint64_t client, const T& value) {
    auto line = lines_.find(client);
    line->second.remove(value);
    --size_;
    if (!line->second.empty()) return;
    lines_.erase(line);
    order_.erase(std::find(order_.begin(), order_.end(), client));
  }

 private:
  std::unordered_map<std::uint64_t, std::list<T>> lines_;  // none is empty
  std::deque<std::uint64_t> order_;  // clients with a line, the next one first
  std::size_t size_ = 0;
};

}  // namespace quire
