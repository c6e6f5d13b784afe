// Sends messages of one webhook to its receiver.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "client/http_client.h"
#include "webhook/retry.h"
#include "webhook/webhook.h"

namespace quire::webhook {

struct Answer {
  Outcome outcome;
  std::chrono::milliseconds rest{0};  // that the receiver asks for
  std::string words = {};             // of a failure, as a part of a sentence
};

// Used on one loop; not thread-safe.
class Receiver {
 public:
  static constexpr std::chrono::seconds patience{15};

  // `lookup`: as HttpClient takes it. Connects to addresses of the public internet alone, unless
  // the webhook may go to others: the addresses of a name are judged each time it is looked up.
  Receiver(boost::asio::io_context& context, const Webhook& webhook,
           AddressLookup::Ask lookup = {});

  // Sends the body once, with signatures by these secrets. Ends within `patience`.
  Awaitable<Answer> send(std::string id, std::string body, std::vector<Secret> secrets,
                         std::uint64_t now_ms);

 private:
  std::string path_, query_;
  HttpClient client_;
};

}  // namespace quire::webhook
