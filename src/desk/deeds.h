// The deeds of the desk, and who may do each: the one table of rights.
#pragma once

#include <cstdint>
#include <span>

#include "desk/tokens.h"

namespace quire::desk {

enum class Deed : std::uint8_t {
  post,             // a comment
  edit,             // a comment: its content, or a decision on it
  remove,           // a comment
  decide,           // which comments are published
  reply,            // for the shop
  vote,             // whether a comment was helpful
  report,           // a comment
  read_own,         // what a customer wrote, and voted
  read_written,     // the customer's one comment of a product
  read_queue,       // what waits for a moderator
  read_all,         // comments of all products
  read_feed,        // the newest published ones of them
  read_changes,     // what happened to comments
  invite,           // customers to write
  export_customer,  // what is kept of a customer
  erase_customer,   // the same
  tell,             // facts of a product
  import,           // comments from elsewhere
  update,           // comments by an import
  undo,             // one's last decisions
  move,             // the comments of a product to another one
};

// Who may do a deed besides those whose token has a scope.
enum class Others : std::uint8_t {
  none,
  customers,  // with a signed token
  voters,     // the same, while the shop takes votes
  writers,    // the same, while the shop lets customers write
  posters,    // the same, or with an invitation, or anyone where the shop lets anyone write
  readers,    // anyone where the shop shows its lists to all
  anyone,
};

// What an admitted deed counts against. A refusal counts against a limit of its own.
enum class Counts : std::uint8_t {
  nothing,  // what the shop's own programs do, and what only reads
  writes,   // of the network, and of the customer from whatever network
  posts,    // the same, and posts of the product
};

// Which products the token of a holder must be for.
enum class Of : std::uint8_t {
  comment,  // that of the comment, which the store looks at: see Condition
  product,  // the one that the request names
  all,
};

struct Rights {
  Deed deed;
  std::span<const Scope> scopes;  // one of them is enough; a message names the first
  Others others;
  Counts counts;
  Of of;
  // Whether an invitation is enough: for the one comment that it makes, until it ends.
  bool invited = false;
};

// Of this deed. Thread-safe.
const Rights& rights_of(Deed deed);

}  // namespace quire::desk
