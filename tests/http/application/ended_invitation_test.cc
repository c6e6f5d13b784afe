// What an invitation opens, it opens until it ends: afterwards neither a form that was opened
// before nor a program writes, changes or removes its comment.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/text.h"
#include "http/application/application_fixture.h"
#include "identity/customers.h"
#include "shop/shop_file.h"

namespace quire::http {
namespace {

constexpr std::uint64_t minute_ms = 60'000, day_ms = 24 * 60 * minute_ms;
const std::string id = "01JD5ZK3V8Q6W3N0A9B7C5D2EF";

class EndedInvitation : public ApplicationTest {
 protected:
  EndedInvitation() {
    options_.desk.shop = shop_.get();
    options_.desk.customer_key = key_;
  }

  // A form that was opened ten minutes ago, by an invitation that ends at this time.
  std::string form(std::uint64_t ends_ms) const {
    identity::SealedForm form{.made_ms = system_ms() - 10 * minute_ms, .product = "42"};
    form.customer_known = form.invited = true;
    form.ticket_ends_ms = ends_ms;
    return identity::FormSeals(key_).seal(form);
  }
  Response send(const std::string& fields) {
    return ask(Verb::post, "/products/42/review",
               {{"Content-Type", "application/x-www-form-urlencoded"}}, fields);
  }
  std::string ticket(std::uint64_t ends_ms) const {
    return identity::Tickets(key_).seal({.ends_ms = ends_ms, .products = {"42"}});
  }

  identity::CustomerKey key_{identity::CustomerKey::Bytes{7}};
  std::unique_ptr<shop::ShopFile> shop_ =
      shop::ShopFile::of("[writing]\nwho = \"customers\"\nedit_days = 30\n").value();
};

TEST_F(EndedInvitation, FormsChangeAndRemoveNothing) {
  auto ended = form(system_ms() - minute_ms);
  auto removal = send("form=" + ended + "&remove=" + id);
  EXPECT_EQ(removal.status, 403u);
  EXPECT_NE(removal.body.find("This invitation does not open the form"), std::string::npos);
  auto edit = send("form=" + ended + "&edit=" + id + "&rating=5&language=en&text=Typed+long");
  EXPECT_EQ(edit.status, 422u);
  EXPECT_NE(edit.body.find("This invitation does not open the form"), std::string::npos);
  EXPECT_NE(edit.body.find("Typed long</textarea>"), std::string::npos) << "what was typed stays";
  auto open = send("form=" + form(system_ms() + minute_ms) + "&remove=" + id);
  EXPECT_EQ(open.body.find("This invitation does not open the form"), std::string::npos)
      << "until it ends it is asked for its comment";
}

TEST_F(EndedInvitation, ProgramsWriteNothing) {
  auto today = system_ms() / day_ms * day_ms;
  auto refused = post("42", {{"Invitation", ticket(today)}});
  EXPECT_EQ(refused.status, 401u);
  EXPECT_NE(refused.body.find("This invitation has ended."), std::string::npos) << refused.body;
  EXPECT_NE(post("42", {{"Invitation", ticket(today + day_ms)}}).status, 401u);
}

// Whoever has a link changes a comment by the form alone, whose sealed field has the link's end.
TEST_F(EndedInvitation, ProgramsChangeAndRemoveNothingByAnInvitation) {
  for (auto ends_ms : {system_ms() / day_ms * day_ms, (system_ms() / day_ms + 2) * day_ms}) {
    Headers headers{{"Invitation", ticket(ends_ms)}};
    EXPECT_EQ(ask(Verb::delete_, "/v1/comments/" + id, headers).status, 401u);
    headers.push_back({"Content-Type", "application/merge-patch+json"});
    EXPECT_EQ(ask(Verb::patch, "/v1/comments/" + id, headers, R"({"rating":1})").status, 401u);
  }
}

}  // namespace
}  // namespace quire::http
