#include "webhook/webhook.h"

#include <algorithm>

namespace quire::webhook {
namespace {

bool has(const auto& values, std::string_view value) {
  return std::find(std::begin(values), std::end(values), value) != std::end(values);
}

// From all pages: then nothing of the comment is told, so that no filter can look at it.
bool removes(std::string_view type) {
  return type == "comment.removed" || type == "comment.rejected" || type == "customer.erased";
}

}  // namespace

bool is_event_name(std::string_view name) {
  return name == posted || has(event_types, name);
}

bool Webhook::wants(const Event& event) const {
  if (event.imported && !imported) return false;
  bool beginning = std::any_of(products.begin(), products.end(), [&](const auto& prefix) {
    return event.product.starts_with(prefix);
  });
  if (!products.empty() && !beginning) return false;
  if (!events.empty()) return has(events, event.type) || (event.is_new && has(events, posted));
  return format == Format::slack ? event.is_new : event.type != voted;
}

bool Webhook::wants(const Event& event, const Comment* comment) const {
  if (!wants(event)) return false;
  bool any = max_rating >= 5 && languages.empty() && format == Format::standard;
  if (!comment) return any || removes(event.type);
  return comment->rating <= max_rating && (languages.empty() || has(languages, comment->language));
}

}  // namespace quire::webhook
