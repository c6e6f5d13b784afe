// Who numbers pages: the store's own ranks, a page index beside the store, or nobody, and why.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "page_index/page_index.h"
#include "service/patient_ranks.h"
#include "service/sections.h"

namespace quire {

// What a service is given to number pages with.
struct NumbersFrom {
  bool store = true;                     // the store's own ranks, where it keeps some
  PageIndex* index = nullptr;            // one beside the store, instead; must outlive the service
  std::chrono::seconds most_behind{60};  // an index that is further behind numbers nothing
};

// How a page index stands.
struct Standing {
  std::string missing = {};    // why it numbers nothing, as a sentence; empty: it does
  std::uint64_t as_of_ms = 0;  // what was written before then is in it; 0: it is not known
  std::optional<std::uint64_t> behind_ms = {};  // how long ago that is, if it is known
};

class PageNumbers;

// Who numbers the pages of one request.
struct Numberer {
  Ranks* ranks = nullptr;              // nothing: nobody
  std::unique_ptr<Ranks> beside = {};  // what `ranks` are, unless they are the view's own
  std::string missing = {};            // why nobody does, where an index should
  PageNumbers* from = nullptr;         // whose index it is
  PatientRanks* patient = nullptr;     // what `ranks` are, where the page does without as well

  // Whether the ranks are of the very state that pages are read from.
  bool exact() const { return ranks && !beside; }
  // The index beside the store has failed: nobody numbers this request any more.
  void fail(const Error& error);
};

// A page index as requests see it. Thread-safe. When it is destroyed, every loop that ran requests
// must have ended.
class PageNumbers {
 public:
  static constexpr std::chrono::milliseconds kept{1000};      // how long an answer holds
  static constexpr std::chrono::milliseconds patience{1000};  // with an index that was asked

  PageNumbers(PageIndex& index, std::chrono::seconds most_behind, Clock clock);

  // As the index stood a second ago. One request at a time asks it, the others meanwhile take what
  // was known before. One that does not answer is down, for a second at least.
  Awaitable<Standing> standing();
  // As it stands now, if nobody asks just then.
  Awaitable<Standing> standing_anew();
  // For one request, whose sections get the lengths that the index has. Unless it is `by_number`
  // the index has no longer than `patience` for all that the request asks.
  Awaitable<Numberer> numberer(std::vector<Section>& sections, bool by_number);
  // It failed a request: it is down until it was asked anew. What to tell, as a sentence.
  std::string failed(const Error& error);

 private:
  struct Asking;

  bool fresh() const;
  std::optional<Standing> known();
  Awaitable<void> ask();
  Awaitable<void> take_answer(std::shared_ptr<Asking> asking);
  Standing judge(const change::State& state) const;
  Standing down() const;
  void learn(Standing standing, const std::string& why);

  PageIndex& index_;
  const std::chrono::seconds most_behind_;
  const Clock clock_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::optional<Standing> known_;  // nothing: it has never answered, and was not waited for
  std::optional<std::uint64_t> answered_ms_;  // nothing: it is to be asked anew
  bool asking_ = false;
};

}  // namespace quire
