#include "http/access/token_file.h"

#include <spdlog/spdlog.h>

#include "base/durable.h"

namespace quire::http {

Result<std::unique_ptr<TokenFile>> TokenFile::open(const std::string& file) {
  auto text = read_token_file(file);
  if (!text) return text.error();
  auto tokens = Tokens::checked(*text, file);
  if (!tokens) return tokens.error();
  if (others_may_write(file)) {
    return Error{ErrorCode::unavailable,
                 "Everyone on this machine may write the token file " + file +
                     ", and so make tokens. Forbid it: chmod o-w " + file + ".",
                 "tokens"};
  }
  return std::unique_ptr<TokenFile>(new TokenFile(file, std::move(*text)));
}

TokenFile::TokenFile(std::string file, std::string text)
    : file_(std::move(file)),
      text_(std::move(text)),
      seen_(text_),
      tokens_(std::make_shared<const Tokens>(Tokens::parse(text_).tokens)) {}

std::shared_ptr<const Tokens> TokenFile::tokens() const {
  std::lock_guard lock(mutex_);
  return tokens_;
}

void TokenFile::watch() {
  thread_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex alone;
    std::condition_variable_any never;
    std::unique_lock lock(alone);
    while (!never.wait_for(lock, stop, look_every, [&] { return stop.stop_requested(); })) look();
  });
}

void TokenFile::look() {
  auto text = read_token_file(file_);
  std::string trouble = text ? "" : text.error().message;
  if (trouble != trouble_ && !trouble.empty())
    spdlog::error("{} The tokens stay as they were.", trouble);
  if (trouble != trouble_ && trouble.empty()) spdlog::info("{} can be read again", file_);
  trouble_ = std::move(trouble);
  if (!text) return;
  bool settled = *text == seen_;
  seen_ = std::move(*text);
  if (settled && seen_ != text_) adopt(seen_);
}

void TokenFile::adopt(std::string text) {
  auto parsed = Tokens::parse(text);
  for (const auto& fault : parsed.faults) spdlog::error("{}: {}, and is left out", file_, fault);
  spdlog::info("{} was read again: tokens: {}", file_, parsed.tokens.size());
  text_ = std::move(text);
  auto tokens = std::make_shared<const Tokens>(std::move(parsed.tokens));
  std::lock_guard lock(mutex_);
  tokens_ = std::move(tokens);
}

}  // namespace quire::http
