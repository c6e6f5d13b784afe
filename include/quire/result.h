// Errors that a caller can cause or must react to, as values.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace quire {

// Each code exists because a caller reacts to it in its own way.
enum class ErrorCode {
  invalid_parameter,
  invalid_cursor,
  cursor_mismatch,
  page_out_of_range,
  not_found,
  invalid_comment,
  idempotency_conflict,
  precondition_failed,  // the comment has changed since the caller saw it
  forbidden,            // the caller may not do this, or the store does not keep it
  already_written,      // the customer has a comment, and may not write another
  facet_building,       // the facet cannot be asked for yet: comments are still being added to it
  unavailable,          // the store cannot answer now: full, busy or unreachable
  damaged,  // what this request needs is damaged: trying again does not help, a repair does
};

struct FieldError {
  std::string field;
  std::string message;
};

struct Error {
  ErrorCode code;
  std::string message;                  // what is wrong and what to do, as sentences
  std::string parameter = {};           // the parameter at fault, if one is
  std::vector<FieldError> fields = {};  // of an invalid comment: one per field
  std::string comment = {};             // of already_written: the id of the first comment
};

struct Done {};

// Either a value or an Error. Reading the other side is a bug: it throws std::logic_error, with the
// message of the error if there is one. Not thread-safe.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::in_place, std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  T& value() & { return get(value_); }
  const T& value() const& { return get(value_); }
  T&& value() && { return std::move(get(value_)); }
  T& operator*() & { return with_value(*this).value(); }
  const T& operator*() const& { return with_value(*this).value(); }
  T&& operator*() && { return std::move(with_value(*this)).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return get(error_); }
  Error&& error() && { return std::move(get(error_)); }

 private:
  // Else a mistaken test of a Status would go unseen: its error is behind error().
  template <class Self>
  static Self& with_value(Self& self) {
    static_assert(!std::is_same_v<T, Done>, "a Status has no value");
    return self;
  }

  template <class Side>
  auto& get(Side& side) const {
    if (!side) misread();
    return *side;
  }

  [[noreturn]] void misread() const {
    throw std::logic_error(error_ ? "there is no value: " + error_->message : "there is no error");
  }

  // Exactly one is present. A std::variant of both takes a tenth longer to compile everywhere.
  std::optional<T> value_;
  std::optional<Error> error_;
};

// Done, or an Error.
using Status = Result<Done>;

}  // namespace quire
