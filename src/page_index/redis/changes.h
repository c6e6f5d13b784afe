// Changes as the scripts of buckets take them; and a step as Redis keeps it while it is open.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "change/target.h"
#include "page_index/redis/client/reply.h"
#include "page_index/redis/state.h"

namespace quire::redis {

// The changes of one bucket.
struct BucketChanges {
  unsigned bucket = 0;
  std::vector<std::string> names = {};      // of lists of any rating that change
  std::vector<std::string> arguments = {};  // what to note, remove and add: see list_scripts.cc

  friend bool operator==(const BucketChanges&, const BucketChanges&) = default;
};

// By bucket. Of several changes of a comment the last decides.
std::vector<BucketChanges> parts_of(const std::vector<change::Change>& changes);

// What is left to be done of a step, whoever does it.
struct OpenStep {
  std::string after;  // the text of the mark
  std::vector<std::string> forget = {};
  std::vector<BucketChanges> parts = {};

  friend bool operator==(const OpenStep&, const OpenStep&) = default;
};

std::string text_of(const OpenStep& step);
// Absent: the text is not of text_of().
std::optional<OpenStep> parse_step(std::string_view text);

// A call of the script `change` or `put`, without the arguments that differ. keys[0], the state of
// the bucket, is left to the caller.
Call call_of(const Script& script, const Bucket& bucket, const BucketChanges& part,
             std::vector<std::string> first = {});

}  // namespace quire::redis
