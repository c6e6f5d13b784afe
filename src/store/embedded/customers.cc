// What hangs on a customer: the rows of the customer's comments, the terms that bind a new one, and
// erasure. A comment's document names its customer, so these rows follow from the comments; used
// tickets do not.
#include <algorithm>

#include "base/try.h"
#include "model/document.h"
#include "store/embedded/documents.h"
#include "store/embedded/edit.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {
namespace {

constexpr std::size_t tickets_at_once = 100;  // of one look
constexpr int forgotten_tickets = 4;          // more than a comment uses, so that none pile up
constexpr std::uint64_t kept_after_end_ms = 600'000;

}  // namespace

Status Edit::check_terms(const CustomerTerms& terms, const Comment& comment) const {
  if (!comment.customer) return Done{};
  if (terms.ticket) {
    TRY_DONE(terms.ticket->check_at(terms.now_ms));
    auto row = txn_.find(db_.tickets, ticket_key(*comment.customer, terms.ticket->id));
    auto used = decode_ticket(row.value_or(""));
    if (row && !used) throw lmdb::Damaged("a used ticket is damaged: run quire verify");
    if (used) return used_invitation(used->id);
  }
  if (!terms.once) return Done{};
  auto first = first_comment(db_, txn_, *comment.customer, comment.product);
  return first ? Status(second_comment(*first)) : Done{};
}

std::optional<Ulid> first_comment(const Databases& databases, const lmdb::Transaction& txn,
                                  const CustomerHash& customer, std::string_view product) {
  auto of = [&](std::string_view former) {
    auto prefix = customer_prefix(customer, former);
    auto first = lmdb::keys_under(txn, databases.customers, prefix, 1);
    return first.empty() ? std::nullopt : std::optional(id_at_end(first.front()));
  };
  if (auto first = of(product)) return first;
  for (const auto& former : former_products(databases, txn, product))
    if (auto first = of(former)) return first;
  return {};
}

bool has_customers(const Databases& databases, const lmdb::Transaction& txn) {
  for (auto database :
       {databases.customers, databases.tickets.dbi, databases.reports.dbi, databases.votes.dbi})
    if (txn.entries(database) > 0) return true;
  return false;
}

std::string Edit::customer_check(const std::string& fresh) {
  auto kept = txn_.find(db_.meta, "customer_check");
  if (kept && has_customers(db_, txn_.get())) return std::string(*kept);
  txn_.put(db_.meta, "customer_check", fresh);
  return fresh;
}

void Edit::put_customer(const Comment& comment) {
  const Comment* one = &comment;
  put_customers({&one, 1});
}

void Edit::put_customers(std::span<const Comment* const> comments) {
  std::vector<std::string> keys;
  for (const auto* comment : comments) {
    if (!comment->customer) continue;
    keys.push_back(customer_key(*comment->customer, "", comment->id));
    keys.push_back(customer_key(*comment->customer, comment->product, comment->id));
  }
  std::sort(keys.begin(), keys.end());
  for (const auto& key : keys) txn_.put(db_.customers, key, {});
}

void Edit::forget_customer(const Comment& comment) {
  if (!comment.customer) return;
  for (std::string_view product : {std::string_view(), std::string_view(comment.product)})
    txn_.remove(db_.customers, customer_key(*comment.customer, product, comment.id));
}

void Edit::use_ticket(const Ticket& ticket, const Comment& comment, std::uint64_t now_ms) {
  forget_tickets(now_ms);
  auto key = ticket_key(*comment.customer, ticket.id);
  txn_.put(db_.tickets, key, encode_ticket({ticket.ends_ms, comment.id}));
  txn_.put(db_.tickets_by_end, by_time_key(ticket.ends_ms, key), {});
}

// Tickets that have ended are refused before they come here, by the time of their request, which
// may have waited for a while.
void Edit::forget_tickets(std::uint64_t now_ms) {
  lmdb::Cursor oldest(txn_.get(), db_.tickets_by_end);
  for (int i = 0; i < forgotten_tickets && oldest.move(MDB_FIRST); ++i) {
    std::string key(oldest.key());
    if (key.size() != 8 + Key<48>::size)
      throw lmdb::Damaged("a key of tickets_by_end is damaged: run quire verify");
    if (get_u64(key.data()) + kept_after_end_ms > now_ms) return;
    txn_.remove(db_.tickets, std::string_view(key).substr(8));
    txn_.remove(db_.tickets_by_end, key);
  }
}

// Keeps the used tickets that can be read.
void Edit::repair_tickets(Rebuilt& rebuilt) {
  drop_from(db_.tickets, rebuilt, [](std::string_view key, std::optional<std::string_view> row) {
    return key.size() != Key<48>::size || !row || !decode_ticket(*row);
  });
  txn_.clear(db_.tickets_by_end);
  std::vector<std::string> keys;
  for (const auto& entry : lmdb::Entries(txn_, db_.tickets)) {
    auto row = lmdb::unsealed(db_.tickets.seed, entry.key(), entry.value());
    keys.push_back(by_time_key(decode_ticket(*row)->ends_ms, entry.key()));
  }
  for (const auto& key : keys) txn_.put(db_.tickets_by_end, key, {});
}

Result<Edit::ErasedPart> Edit::erase_comments(const CustomerHash& customer, bool keep_ratings,
                                              const std::vector<std::string>& keys) {
  ErasedPart part;
  std::vector<Ulid> removed;
  for (const auto& key : keys) {
    auto id = id_at_end(key);
    auto found = find(id);
    if (!found && found.error().code != ErrorCode::not_found) part.damage = found.error();
    if (!found || found->comment.customer != customer) continue;
    part.erased.answers += forget_request_of(id);
    if (keep_ratings && found->comment.published()) {
      empty(*found);
      ++part.erased.emptied;
    } else {
      remove(*found);
      ++part.erased.comments;
      removed.push_back(id);
    }
  }
  events_.forget(removed);
  if (events_.kept()) part.erased.told = part.erased.comments + part.erased.emptied;
  return part;
}

// Makes a published comment a rating of nobody.
void Edit::empty(FoundComment& found) {
  auto comment = found.comment;
  keep_id(comment);
  forget_customer(comment);
  forget_reports(comment.id);
  anonymize(comment);
  events_.add(EventType::changed, comment);
  note_revision(found.comment, comment);
  put_decision(comment);
  auto document = encode_document(comment);
  replace(found, std::move(comment), document);
}

Result<Edit::ErasedPart> Edit::erase_reports(const std::vector<std::string>& keys) {
  ErasedPart part;
  for (const auto& key : keys) {
    if (!txn_.remove(db_.reports.dbi, key)) continue;
    ++part.erased.reports;
    auto id = std::string_view(key).substr(0, Ulid::size);
    if (lmdb::keys_under(txn_, db_.reports, id, 1).empty()) txn_.remove(db_.reported, id);
  }
  return part;
}

// Also where it cannot be read.
bool Edit::is_of(const CustomerHash& customer, const Ulid& id) try {
  auto found = find(id);
  if (!found) return found.error().code != ErrorCode::not_found;
  return found->comment.customer == customer;
} catch (const lmdb::Damaged&) {
  return true;
}

Result<Edit::ErasedPart> Edit::erase_rest(const CustomerHash& customer) {
  ErasedPart part;
  events_.add_erasure();
  auto prefix = customer.view();
  for (bool more = true; more;) {
    auto keys = lmdb::keys_under(txn_, db_.tickets, prefix, tickets_at_once);
    more = keys.size() == tickets_at_once;
    part.erased.tickets += keys.size();
    for (const auto& key : keys) {
      auto bytes = lmdb::unsealed(db_.tickets.seed, key, txn_.find(db_.tickets.dbi, key).value());
      auto row = decode_ticket(bytes.value_or(""));
      if (row) txn_.remove(db_.tickets_by_end, by_time_key(row->ends_ms, key));
      txn_.remove(db_.tickets.dbi, key);
    }
  }
  // The rows of a damaged comment stay: the next erasure finds it by them.
  for (const auto& key : lmdb::keys_under(txn_, db_.customers, prefix)) {
    if (!is_of(customer, id_at_end(key))) txn_.remove(db_.customers, key);
  }
  std::vector<std::string> set_aside;
  for (const auto& entry : lmdb::Entries(txn_, db_.damaged.dbi)) {
    if (entry.value().find(prefix) != std::string_view::npos) set_aside.emplace_back(entry.key());
  }
  for (const auto& key : set_aside) txn_.remove(db_.damaged.dbi, key);
  part.erased.comments += set_aside.size();
  return part;
}

}  // namespace quire::embedded
