#include "http/api/queue_parameters.h"

#include <algorithm>

#include "base/iso_time.h"
#include "base/limits.h"
#include "base/try.h"
#include "http/query.h"
#include "model/facets.h"

namespace quire::http {
namespace {

using Kind = QueueQuestion::Kind;

// A queue has no published comments, but for those that were reported; the list of all has any.
Status set_kind(Kind& kind, std::string_view text) {
  bool of_all = kind == Kind::any;
  auto named = parse_queue(text);
  if (!named || *named == Kind::any || (*named == Kind::published && !of_all))
    return invalid("status",
                   of_all ? "status is published, pending, rejected or reported. Leave it out for "
                            "published, pending and rejected comments."
                          : "status is pending, rejected or reported.");
  kind = *named;
  return Done{};
}

Status set_time(std::optional<std::uint64_t>& time, std::string_view name,
                const std::string& value) {
  time = parse_iso_time(value);
  if (time) return Done{};
  return invalid(name, std::string(name) +
                           " is a time such as 2024-11-20T12:01:00Z, or a date, which stands for "
                           "the beginning of that day in UTC.");
}

Status set_flag(std::optional<bool>& flag, std::string_view name, std::string_view value) {
  if (value != "true" && value != "false")
    return invalid(name, std::string(name) + " is true or false. Leave it out for any.");
  flag = value == "true";
  return Done{};
}

Status set(QueueQuestion& question, const std::string& name, const std::string& value) {
  if (name == "product") question.product = value;
  if (name == "q") return question.look_for(value);
  if (name == "since") return set_time(question.since_ms, name, value);
  if (name == "until") return set_time(question.until_ms, name, value);
  if (name == "replied") return set_flag(question.replied, name, value);
  if (name == "verified") return set_flag(question.verified, name, value);
  if (name == "has_text") return set_flag(question.has_text, name, value);
  if (name == "sort" && value != "created_at" && value != "-created_at")
    return invalid("sort", "sort is created_at, oldest first, or -created_at.");
  if (name == "sort")
    question.order = value == "created_at" ? Order::oldest_first : Order::newest_first;
  if (name == "limit") {
    TRY(question.limit, number("limit", value, 1, limits::page_max));
  }
  return Done{};
}

bool is_repeatable(std::string_view name) {
  return name == "language" || name == "rating";
}

Status check_language(std::string_view name, const std::string& value) {
  if (name != "language" || value == any_language || canonical_language(value)) return Done{};
  return invalid("language",
                 "language is " + std::string(list_facets[language_facet].wanted) + ".");
}

}  // namespace

Result<QueueQuestion> queue_question(const Request& request, Names allowed,
                                     QueueQuestion question) {
  TRY_DONE(allow_only(request, allowed, is_repeatable));
  Query filter;
  for (const auto& [name, value] : request.parameters) {
    TRY_DONE(check_language(name, value));
    if (name == "status") {
      TRY_DONE(set_kind(question.kind, value));
    } else {
      TRY_DONE(is_repeatable(name) ? add_filter(filter, name, value) : set(question, name, value));
    }
  }
  question.languages = std::move(filter.languages);
  question.ratings = std::move(filter.ratings);
  return question;
}

}  // namespace quire::http
