// Keys and rows of votes. Format: docs/formats/store.md. Changing anything here is a new format
// version.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/vote.h"
#include "quire/customer.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

// A vote: those of a comment lie together, behind the tally, whose key is the id. In `voters` those
// of a customer lie together.
Key<48> vote_key(const Ulid& id, const CustomerHash& customer);
Key<48> voter_key(const CustomerHash& customer, const Ulid& id);
bool is_vote_key(std::string_view key);
Ulid vote_comment(std::string_view key);  // of a tally's key, too
CustomerHash vote_customer(std::string_view key);
std::string encode_vote(Vote vote);
// Absent: the row or its key is damaged.
std::optional<Vote> decode_vote(std::string_view key, std::string_view row);

// What a comment that has votes would have without them.
std::string encode_tally(const Tally& tally);
std::optional<Tally> decode_tally(std::string_view row);  // absent: it is damaged

}  // namespace quire::embedded
