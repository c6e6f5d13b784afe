#include "page_index/redis/client/reply.h"

#include <fmt/format.h>

#include <iterator>
#include <new>

namespace quire::redis {
namespace {

// Hiredis asks for one object per part, parents before their children. Only the last part of each
// list is unfinished, so no part moves while hiredis holds a pointer to it.
void* add(const redisReadTask* task, Reply reply) {
  auto& parts = *static_cast<std::size_t*>(task->privdata);
  if (++parts > Replies::max_parts) return nullptr;
  if (!task->parent) return new Reply(std::move(reply));
  auto& list = static_cast<Reply*>(task->parent->obj)->list;
  return &list.emplace_back(std::move(reply));
}

void* add_string(const redisReadTask* task, char* text, std::size_t size) {
  bool refusal = task->type == REDIS_REPLY_ERROR;
  return add(task, {refusal ? Reply::Kind::refusal : Reply::Kind::bytes, 0, {text, size}});
}

// Ignores the announced number of parts: memory is taken only for parts that come.
void* add_list(const redisReadTask* task, int) {
  return add(task, {Reply::Kind::list});
}

void* add_number(const redisReadTask* task, long long number) {
  return add(task, {Reply::Kind::number, number});
}

void* add_nothing(const redisReadTask* task) {
  return add(task, {});
}

void free_reply(void* reply) {
  delete static_cast<Reply*>(reply);
}

redisReplyObjectFunctions functions{add_string, add_list, add_number, add_nothing, free_reply};

}  // namespace

Replies::Replies() : reader_(redisReaderCreateWithFunctions(&functions)) {
  if (!reader_) throw std::bad_alloc();
  reader_->privdata = &parts_;
}

void Replies::feed(std::string_view bytes) {
  unread_ += bytes.size();
  if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != 0)
    trouble_ = "it could not be read";
}

std::optional<Reply> Replies::next() {
  void* found = nullptr;
  if (trouble_.empty() && redisReaderGetReply(reader_.get(), &found) != 0) {
    bool too_many = parts_ > max_parts;
    trouble_ = too_many ? "the answer is too large" : "this is not Redis's protocol";
  }
  if (found) {
    std::unique_ptr<Reply> reply(static_cast<Reply*>(found));
    unread_ = reader_->len - reader_->pos;
    parts_ = 0;
    return std::move(*reply);
  }
  if (trouble_.empty() && unread_ > max_bytes) trouble_ = "the answer is too large";
  return {};
}

std::string request(std::span<const std::string_view> words) {
  std::string bytes;
  fmt::format_to(std::back_inserter(bytes), "*{}\r\n", words.size());
  for (auto word : words) {
    fmt::format_to(std::back_inserter(bytes), "${}\r\n", word.size());
    bytes.append(word).append("\r\n");
  }
  return bytes;
}

}  // namespace quire::redis
