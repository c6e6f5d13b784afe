#include "store/dynamodb/comments/group.h"

#include <algorithm>
#include <numeric>

#include "store/dynamodb/items/bounds.h"

namespace quire::dynamodb {
namespace {

using About = Transaction::About;

// Actions of a transaction, at most: statistics, an average and a row in the registry.
constexpr std::size_t per_product = 3;
constexpr std::size_t per_language = 2;  // statistics and an average

// The writes and keys of submissions in the order in which a transaction has them.
struct Contents {
  std::vector<const CommentWrite*> writes;
  std::vector<std::pair<Submission*, std::size_t>> of_write;  // which of its writes
  std::vector<const KeyPut*> keys;
  std::vector<Submission*> of_key;
};

Contents contents_of(const std::vector<Submission*>& members) {
  Contents out;
  for (auto* member : members) {
    for (auto i : member->left) {
      out.writes.push_back(&member->writes[i]);
      out.of_write.emplace_back(member, i);
    }
    if (!member->key) continue;
    out.keys.push_back(&*member->key);
    out.of_key.push_back(member);
  }
  return out;
}

std::string partition_of(const CommentWrite& write) {
  return write.before ? write.before->at("PK").text : comment_key(write.after->id).at("PK").text;
}

Room room_of(const std::vector<CommentWrite>& writes, const std::optional<KeyPut>& key) {
  Room room;
  for (const auto& write : writes) {
    auto product = product_of(write);
    for (auto& language : languages_of(write)) room.languages.emplace(product, language);
    room.products.insert(std::move(product));
    room.keys.insert(partition_of(write));
    // A replaced item is part of the condition, and its other attributes are written again.
    if (write.before) room.bytes += billed_bytes(*write.before);
    if (write.after) room.bytes += billed_bytes(comment_item(*write.after));
  }
  if (!key) return room;
  room.keys.insert(key->item.at("PK").text);
  room.bytes += billed_bytes(key->item);
  return room;
}

template <class T>
std::size_t united(const std::set<T>& one, const std::set<T>& other) {
  auto both = one.size();
  for (const auto& each : other) both += one.contains(each) ? 0 : 1;
  return both;
}

}  // namespace

Submission::Submission(boost::asio::io_context& context, std::vector<CommentWrite> all,
                       std::optional<KeyPut> put)
    : writes(std::move(all)),
      key(std::move(put)),
      room(room_of(writes, key)),
      left(writes.size()),
      woken(context) {
  std::iota(left.begin(), left.end(), std::size_t{0});
  outcome.made.resize(writes.size());
}

Group::Group(Submission& leader) : leader_(leader), room_(leader.room) {
  members_.push_back(&leader);
  leader.grouped = true;
}

Group::~Group() {
  for (auto* member : members_) release(*member);
}

bool Group::add(Submission& submission) {
  const Room& more = submission.room;
  if (leader_.alone || submission.alone || !has_room_for(more)) return false;
  room_.keys.insert(more.keys.begin(), more.keys.end());
  room_.products.insert(more.products.begin(), more.products.end());
  room_.languages.insert(more.languages.begin(), more.languages.end());
  room_.bytes += more.bytes;
  submission.grouped = true;
  members_.push_back(&submission);
  return true;
}

bool Group::has_room_for(const Room& more) const {
  for (const auto& key : more.keys) {
    if (room_.keys.contains(key)) return false;
  }
  auto actions = room_.keys.size() + more.keys.size() +
                 per_product * united(room_.products, more.products) +
                 per_language * united(room_.languages, more.languages);
  return actions <= max_actions && room_.bytes + more.bytes <= max_transaction_bytes;
}

Transaction Group::transaction(const KnownTotals& totals, std::size_t leader_shards) const {
  auto contents = contents_of(members_);
  return transaction_of(contents.writes, totals, leader_shards, contents.keys);
}

void Group::succeed() {
  for (auto* member : members_) {
    for (auto i : member->left) member->outcome.made[i] = true;
    member->result = std::move(member->outcome);
  }
  release_finished();
}

bool Group::refuse(const Transaction& transaction, const Failure& failure) {
  bool outdated = false;
  auto contents = contents_of(members_);
  for (std::size_t i = 0; i < transaction.about.size(); ++i) {
    if (!failure.refused(i)) continue;
    const About& about = transaction.about[i];
    if (about.what == About::What::statistics) outdated = true;
    if (about.what == About::What::key) contents.of_key[about.index]->outcome.known_key = true;
    if (about.what != About::What::write) continue;
    auto [member, write] = contents.of_write[about.index];
    std::erase(member->left, write);
  }
  for (auto* member : members_) {
    if (member->outcome.known_key || member->left.empty()) member->result = member->outcome;
  }
  release_finished();
  return outdated;
}

void Group::fail(const Error& error) {
  for (auto* member : members_) member->result = error;
  release_finished();
}

void Group::part() {
  leader_.alone = true;
  for (auto* member : members_) {
    member->alone = true;
    if (member != &leader_) release(*member);
  }
  members_.assign(1, &leader_);
  room_ = leader_.room;
}

void Group::release(Submission& submission) {
  submission.grouped = false;
  submission.woken.cancel();
}

void Group::release_finished() {
  std::erase_if(members_, [&](Submission* member) {
    if (!member->result) return false;
    release(*member);
    return true;
  });
}

}  // namespace quire::dynamodb
