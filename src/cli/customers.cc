// quire invite, customer
#include <fmt/core.h>

#include <algorithm>
#include <boost/json.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "cli/asking/shop_interface.h"
#include "cli/commands.h"
#include "cli/terminal/checks.h"
#include "http/api/customers_api.h"
#include "http/site.h"
#include "records/lines.h"

namespace quire::cli {
namespace {

namespace json = boost::json;

struct InviteOptions {
  Moderated moderated = {.customers = true};
  std::string name;
  std::vector<std::string> products, customers;
  int days = 60;
};

void add_customer_key(CLI::App& command, Moderated& moderated) {
  command
      .add_option("--customer-key", moderated.customer_key,
                  "file with the key of customers, as quire serve has it")
      ->envname("QUIRE_CUSTOMER_KEY")
      ->option_text("FILE");
}

// As many invitations as a body takes, however long the customers' ids are.
std::size_t in_one_request(const InviteOptions& options) {
  std::size_t bytes = 500 + options.name.size();
  for (const auto& product : options.products) bytes += 2 * product.size() + 3;
  return std::clamp<std::size_t>(limits::body_bytes / bytes, 1, http::max_invitations);
}

int invite(const Common& common, const InviteOptions& options) {
  auto customers = records::with_lines(options.customers);
  if (!customers) return fail(customers.error());
  if (!options.name.empty() && customers->size() > 1)
    return fail({ErrorCode::invalid_parameter, "--name is of one customer. Invite one at a time."});
  auto shop = ShopInterface::open(common.store, common.pages, options.moderated, Access::read);
  if (!shop) return fail(shop.error());
  json::array made;
  auto at_once = in_one_request(options);
  for (std::size_t at = 0; at < customers->size(); at += at_once) {
    auto count = std::min(at_once, customers->size() - at);
    std::vector<desk::Wish> wishes;
    for (const auto& customer : std::span(*customers).subspan(at, count))
      wishes.push_back({options.products, customer, options.name, options.days});
    auto body = (*shop)->invite(wishes);
    if (!body) return fail(body.error());
    auto answer = json::parse(*body).as_object();
    for (auto& each : answer.at("invitations").as_array()) {
      auto& invitation = each.as_object();
      if (!invitation.contains("link") && !options.moderated.public_url.empty()) {
        std::string_view ticket = invitation.at("ticket").as_string();
        invitation["link"] =
            options.moderated.public_url + http::invitation_address(options.products, ticket);
      }
      const auto* link = invitation.if_contains("link");
      if (!common.json)
        fmt::print("{}\n", std::string_view((link ? *link : invitation.at("ticket")).get_string()));
      made.push_back(std::move(each));
    }
  }
  if (common.json)
    fmt::print("{}\n", json::serialize(json::object{{"invitations", std::move(made)}}));
  return done;
}

struct CustomerOptions {
  Moderated moderated = {.customers = true};
  std::vector<std::string> customers;
  bool keep_ratings = false;
};

// A line for each comment, then one for each report and each vote. Returns the exit status.
int print_kept(const std::string& body) {
  auto kept = json::parse(body).as_object();
  for (const auto& comment : kept.at("comments").as_array())
    fmt::print("{}\n", json::serialize(comment));
  for (const auto& report : kept.at("reports").as_array())
    fmt::print("{}\n", json::serialize(json::object{{"report", report}}));
  for (const auto& vote : kept.at("votes").as_array())
    fmt::print("{}\n", json::serialize(json::object{{"vote", vote}}));
  const auto* missing = kept.if_contains("missing");
  return tell_of_missing(missing ? missing->to_number<std::uint64_t>() : 0);
}

void print_receipt(const std::string& body) {
  auto receipt = json::parse(body).as_object();
  std::string line;
  for (const auto& [name, count] : receipt.at("removed").as_object())
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", count.to_number<std::uint64_t>(),
                        std::string_view(name));
  fmt::print("removed: {}\nemptied: {}\n", line, receipt.at("emptied").to_number<std::uint64_t>());
  for (const auto& sentence : receipt.at("remains").as_array())
    fmt::print("{}\n", std::string_view(sentence.get_string()));
}

int ask(const Common& common, const CustomerOptions& options, bool erases) {
  auto customers = records::with_lines(options.customers);
  if (!customers) return fail(customers.error());
  auto shop = ShopInterface::open(common.store, common.pages, options.moderated,
                                  erases ? Access::write : Access::read);
  if (!shop) return fail(shop.error());
  int status = done;
  for (const auto& customer : *customers) {
    auto body =
        erases ? (*shop)->erase(customer, options.keep_ratings) : (*shop)->export_kept(customer);
    if (!body) {
      // Of the other customers all can be done.
      int failed_by = fail(body.error());
      if (body.error().code != ErrorCode::damaged) return failed_by;
      status = with_differences;
    } else if (!erases) {
      status = std::max(status, print_kept(*body));
    } else if (common.json) {
      fmt::print("{}\n", *body);
    } else {
      print_receipt(*body);
    }
  }
  return status;
}

void add_shared(CLI::App& command, CustomerOptions& options) {
  command
      .add_option("ID", options.customers,
                  "of the customer, as the shop has it; -: from standard input, an id a line")
      ->required();
  add_server(command, options.moderated, "admin");
  add_customer_key(command, options.moderated);
}

}  // namespace

Command add_invite(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("invite", "print links by which customers write of products");
  auto options = std::make_shared<InviteOptions>();
  command
      ->add_option("PRODUCT", options->products, "which was bought; of several the link has a page")
      ->required()
      ->check(not_empty);
  command
      ->add_option("--customer", options->customers,
                   "id of the customer, as the shop has it; -: from standard input, an id a line")
      ->required()
      ->allow_extra_args(false)
      ->option_text("ID");
  command->add_option("--name", options->name, "the author; else the customer types a name")
      ->option_text("N");
  command->add_option("--days", options->days, "until the link ends")
      ->check(CLI::Range(1, 365))
      ->capture_default_str()
      ->option_text("N");
  command
      ->add_option("--public-url", options->moderated.public_url,
                   "of the links, as quire serve has it; without it tickets are printed")
      ->envname("QUIRE_PUBLIC_URL")
      ->option_text("URL")
      ->check(http::check_public_url);
  add_server(*command, options->moderated, "invite");
  add_customer_key(*command, options->moderated);
  command->footer("Example: quire invite 42 43 --customer 1077 --public-url https://shop.example");
  return {command, [&common, options] { return invite(common, *options); }};
}

Command add_customer(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("customer", "export or erase what is kept of a customer");
  command->require_subcommand(1);
  command->footer("Example: quire customer export 1077 > 1077.jsonl");
  auto options = std::make_shared<CustomerOptions>();
  auto* given =
      command->add_subcommand("export", "print what is kept of a customer, as JSON Lines");
  add_shared(*given, *options);
  given->footer("Example: quire customer export 1077 > 1077.jsonl");
  auto* erased = command->add_subcommand("erase", "erase what is kept of a customer");
  add_shared(*erased, *options);
  erased->add_flag("--keep-ratings", options->keep_ratings,
                   "keep published ratings, of nobody, without author, title and text");
  add_audit_log(*erased, options->moderated, "the erasure is");
  erased->footer("Example: quire customer erase 1077 && quire compact");
  return {command, [&common, options, given] { return ask(common, *options, !given->parsed()); }};
}

}  // namespace quire::cli
