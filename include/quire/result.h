// Errors a caller can cause or must react to, as values.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace quire {

// A code exists only because some caller reacts to it differently.
enum class ErrorCode {
  invalid_parameter,
  invalid_cursor,
  cursor_mismatch,
  page_out_of_range,
  not_found,
  invalid_comment,
  idempotency_conflict,
  precondition_failed,  // the comment is no longer what the caller saw
  forbidden,            // the caller may not change this comment
  unavailable,          // the backend cannot answer now: full, busy, damaged or unreachable
};

struct FieldError {
  std::string field;
  std::string message;
};

struct Error {
  ErrorCode code;
  std::string message;                  // what was wrong and what to do, as a sentence
  std::string parameter = {};           // the parameter at fault, if one is
  std::vector<FieldError> fields = {};  // of an invalid comment: one per field
};

// Either a value or an Error. Reading the side that is not there is a bug: std::logic_error, with
// the error's message where there is one.
// Not thread-safe; lives like any value.
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
