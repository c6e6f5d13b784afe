// What the address and the forms of the moderators' page say.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desk/desk.h"
#include "http/message.h"
#include "http/parameters.h"
#include "quire/result.h"
#include "quire/ulid.h"
#include "service/comments.h"

namespace quire::http {

// The parameters of the page.
inline const Names queue_page_parameters = {
    "status", "product",         "rating",         "language", "replied",   "rule",
    "sort",   "after",           "before",         "secret",   "published", "rejected",
    "noted",  "refused",         "undone",         "changed",  "late",      "reply",
    "undo",   "round_published", "round_rejected", "q"};

// How many comments were published, and rejected.
struct Verdicts {
  std::size_t published = 0;
  std::size_t rejected = 0;

  bool none() const { return published + rejected == 0; }
};

// What became of the last deed, and of all since the moderator began. The page's address has it.
struct Outcome {
  Verdicts last = {}, round = {};
  std::size_t noted = 0;
  std::size_t refused = 0;
  std::size_t undone = 0;
  std::size_t changed = 0;         // since, so that they were not taken back
  bool late = false;               // to take decisions back
  std::optional<bool> reply = {};  // whether it was kept
  std::string undo = {};           // see desk::Decided; empty: nothing can be taken back
};

// A comment as the forms name it: its id and its tag.
struct Chosen {
  Ulid id;
  std::string tag;
};
std::optional<Chosen> chosen_in(std::string_view text);

// Parameters that are wrong are left out: a link to the page always leads to a queue.
QueueQuestion question_of(const Request& request);
Outcome outcome_of(const Request& request);
// "&published=3&round_published=12": what is not 0.
std::string outcome_query(const Outcome& outcome);
// The part of it that goes with the moderator to further pages.
std::string round_query(const Verdicts& round);
// As sentences; empty: nothing became of anything.
std::string outcome_text(const Outcome& outcome);
// "12 published, 3 rejected".
std::string verdicts_text(const Verdicts& verdicts);

// What the moderator has decided up to this form.
Verdicts round_of(const Parameters& form);
std::vector<Result<desk::Decision>> decisions_of(const Parameters& form);

}  // namespace quire::http
