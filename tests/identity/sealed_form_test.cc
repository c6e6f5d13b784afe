// The field of a form opens as it was sealed; a changed one does not.
#include "identity/customers.h"

#include <gtest/gtest.h>

#include <random>

namespace quire::identity {
namespace {

const CustomerKey form_key(CustomerKey::Bytes{7});

SealedForm any_form(std::mt19937& random) {
  SealedForm form{.made_ms = (std::uint64_t{random()} << 16) | (random() & 0xffff),
                  .customer_known = random() % 2 == 0,
                  .customer = form_key.hash(std::to_string(random())),
                  .verified = random() % 2 == 0,
                  .invited = random() % 2 == 0,
                  .ticket_ends_ms = random(),
                  .product = std::string(1 + random() % 256, 'p')};
  for (auto& byte : form.id) byte = static_cast<std::uint8_t>(random());
  for (auto& byte : form.ticket) byte = static_cast<std::uint8_t>(random());
  for (auto count = random() % 101; count > 0; --count) form.name += "\xF0\x9F\x8D\x80";
  return form;
}

TEST(FormSeals, OpenAsTheyWereSealed) {
  std::mt19937 random(5);
  FormSeals forms(form_key);
  for (int i = 0; i < 1000; ++i) {
    auto form = any_form(random);
    auto text = forms.seal(form);
    ASSERT_LE(text.size(), FormSeals::max_characters);
    ASSERT_EQ(forms.open(text), form);
  }
}

TEST(FormSeals, NoTamperedOneOpens) {
  std::mt19937 random(6);
  FormSeals forms(form_key);
  for (int i = 0; i < 2000; ++i) {
    auto text = forms.seal(any_form(random));
    auto changed = text;
    auto& letter = changed[random() % (text.size() - 1)];  // the last may have bits to spare
    letter = letter == 'A' ? 'B' : 'A';
    ASSERT_FALSE(forms.open(changed)) << changed;
    ASSERT_FALSE(forms.open(text.substr(0, random() % text.size())));
  }
}

TEST(FormSeals, OfAnotherKeyOrKindDoNotOpen) {
  std::mt19937 random(7);
  auto text = FormSeals(form_key).seal(any_form(random));
  EXPECT_FALSE(FormSeals(CustomerKey(CustomerKey::Bytes{8})).open(text));
  EXPECT_FALSE(Tickets(form_key).open(text));
  Invitation invitation{.ends_ms = day_ms, .products = {"42"}};
  EXPECT_FALSE(FormSeals(form_key).open(Tickets(form_key).seal(invitation)));
  EXPECT_FALSE(FormSeals(form_key).open(""));
  EXPECT_FALSE(FormSeals(form_key).open(std::string(2000, 'A')));
}

}  // namespace
}  // namespace quire::identity
