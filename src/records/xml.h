// Rows of XML: the elements of a name, and what is around them.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/container.h"
#include "records/xml_parser.h"

namespace quire::records {

// An element of a name is a row, wherever it stands; within a row it is a child.
//
// What is around a row is bounded, since each row has it: a child of up to 4 KiB, children of up to
// 16 KiB in one element, and 64 KiB in all elements, from the row outwards. Children of a name that
// has had rows within are left out.
class Xml final : public Container, private XmlEvents {
 public:
  // `rows`: the local name; a prefix is passed over. `others`: what else it may be, for messages.
  Xml(Text& text, std::string_view rows, std::vector<std::string> others);
  Result<Row> next() override;
  void keep_only(std::set<std::string, std::less<>> names) override { kept_ = std::move(names); }

 private:
  struct Element {
    std::string_view name;                            // of the parser
    std::optional<boost::json::object> members = {};  // most elements have a text alone
    std::string text = {};
    std::size_t size = 0;  // of the members, about
    bool has_rows = false, too_large = false;
  };

  void begin_element(std::string_view name, Attributes attributes) override;
  void end_element() override;
  void text(std::string_view part) override;

  bool in_row() const { return row_ > 0; }
  bool passes_over(std::string_view child) const;
  void pass_over(std::string_view name, const Attributes& attributes);
  void begin_row();
  void end_row(Element&& row);
  void grow_row(std::size_t size);
  void keep_around(Element&& element);
  std::shared_ptr<const Surroundings> around() const;
  boost::json::object& members_of(Element& element) const;
  boost::json::value value_of(Element&& element) const;
  void read_some();

  Text& text_;
  const std::string rows_;
  const std::vector<std::string> others_;
  XmlParser parser_;
  std::string_view rest_;
  bool ended_ = false, found_ = false;
  std::optional<Error> fault_;
  std::deque<Row> waiting_;

  std::optional<std::set<std::string, std::less<>>> kept_;  // children of rows; absent: all
  std::size_t passed_over_ = 0;  // elements that are open, from such a child inwards
  std::vector<Element> open_;
  std::size_t row_ = 0;               // the row's number in open_ from 1; 0: there is none
  std::size_t row_size_ = 0;          // about
  std::uint64_t line_ = 0;            // of the row
  boost::json::storage_ptr storage_;  // of the row's values; outside of rows the default
  std::set<std::string, std::less<>> have_rows_;  // names of elements with rows within
  std::shared_ptr<const Surroundings> around_;    // null: it has changed
};

// The names of elements that may be rows, best first: those that come several times in the
// beginning of a document, and have parts.
std::vector<std::string> xml_rows(std::string_view head);

}  // namespace quire::records
