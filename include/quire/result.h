// Errors that a caller can cause or must react to, as values.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
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
  forbidden,            // the caller may not change this comment
  already_written,      // the customer has a comment, and may not write another
  facet_building,       // the facet cannot be asked for yet: comments are still being added to it
  unavailable,          // the store cannot answer now: full, busy, damaged or unreachable
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

// Either a value or an Error. Reading the other side is a bug: it throws std::logic_error, with the
// message of the error if there is one. Not thread-safe.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return get<0>(state_); }
  const T& value() const& { return get<0>(state_); }
  T&& value() && { return std::move(get<0>(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return get<1>(state_); }
  Error&& error() && { return std::move(get<1>(state_)); }

 private:
  template <std::size_t I, class V>
  static auto& get(V& state) {
    auto* held = std::get_if<I>(&state);
    if (!held) misread(state.index() == 1 ? &std::get<1>(state) : nullptr);
    return *held;
  }

  [[noreturn]] static void misread(const Error* error) {
    throw std::logic_error(error ? "there is no value: " + error->message : "there is no error");
  }

  std::variant<T, Error> state_;
};

struct Done {};
using Status = Result<Done>;

}  // namespace quire
