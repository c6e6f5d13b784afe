#include "projection/leases.h"

#include <algorithm>

namespace quire::projection {

// A lease whose beat has not changed for `takeover_after_` belongs to a dead worker.
bool LeaseBook::alive(const std::string& shard, const Lease& lease, Time now) {
  if (lease.owner.empty()) return false;
  auto [at, fresh] = seen_.try_emplace(shard, Seen{lease, now});
  if (!fresh && at->second.lease != lease) at->second = {lease, now};
  return now - at->second.since < takeover_after_;
}

// A living worker's part of the shards, rounded up.
std::size_t LeaseBook::share(const Leases& leases, std::size_t shards, Time now) {
  std::set<std::string> workers{owner_};
  for (const auto& [shard, lease] : leases) {
    if (alive(shard, lease, now)) workers.insert(lease.owner);
  }
  return (shards + workers.size() - 1) / workers.size();
}

std::vector<LeaseBook::Wish> LeaseBook::plan_changes(const Leases& leases,
                                                     const std::vector<std::string>& readable,
                                                     Time now) {
  std::vector<Wish> plan_changes;
  auto find = [&](const std::string& shard) -> std::optional<Lease> {
    auto at = leases.find(shard);
    return at == leases.end() ? std::nullopt : std::optional(at->second);
  };
  auto take = [&](const std::string& shard, const std::optional<Lease>& before) {
    plan_changes.push_back({shard, before, Lease{owner_, before ? before->beat + 1 : 1}});
  };
  std::size_t max = share(leases, readable.size(), now), mine = 0;
  std::map<std::string, std::vector<std::string>> others;
  std::vector<std::string> free;
  for (const auto& shard : readable) {
    auto lease = find(shard);
    if (lease && lease->owner == owner_) {
      take(shard, lease);
      ++mine;
    } else if (lease && alive(shard, *lease, now)) {
      others[lease->owner].push_back(shard);
    } else {
      free.push_back(shard);
    }
  }
  for (const auto& shard : free) {
    if (mine >= max) break;
    take(shard, find(shard));
    ++mine;
  }
  auto richest = std::max_element(others.begin(), others.end(), [](const auto& a, const auto& b) {
    return a.second.size() < b.second.size();
  });
  // A worker without leases is not known to the others, so by shares alone it could stay without.
  // It takes one lease at a time, because others may be taking some just now.
  if (richest != others.end() && richest->second.size() > mine + 1)
    take(richest->second.front(), find(richest->second.front()));
  for (const auto& [shard, lease] : leases) {
    if (std::count(readable.begin(), readable.end(), shard) == 0)
      plan_changes.push_back({shard, lease, std::nullopt});
  }
  std::erase_if(held_, [&](const std::string& shard) {
    auto lease = find(shard);
    return !lease || lease->owner != owner_;
  });
  std::erase_if(own_, [&](const auto& each) { return !held_.contains(each.first); });
  std::erase_if(seen_, [&](const auto& each) { return !leases.contains(each.first); });
  return plan_changes;
}

void LeaseBook::granted(const Wish& wish) {
  if (!wish.after) return refused(wish);
  held_.insert(wish.shard);
  own_[wish.shard] = *wish.after;
}

void LeaseBook::refused(const Wish& wish) {
  held_.erase(wish.shard);
  own_.erase(wish.shard);
}

std::vector<LeaseBook::Wish> LeaseBook::release_all() const {
  std::vector<Wish> plan_changes;
  for (const auto& [shard, lease] : own_) plan_changes.push_back({shard, lease, std::nullopt});
  return plan_changes;
}

}  // namespace quire::projection
