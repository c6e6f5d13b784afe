// Passes a failure on in one statement. A function that returns a Result or a Status ends with the
// error of the expression, if that has failed, and goes on otherwise. The macros that begin with
// CO_ are for coroutines, others for functions: the one word of C++ that differs cannot be chosen
// by a macro. docs/adr/76-failures-are-passed-on-in-one-statement.md weighs others.
#pragma once

#include <utility>

#define QUIRE_JOINED(a, b) a##b
#define QUIRE_NAME(line) QUIRE_JOINED(tried_, line)
#define QUIRE_TRY(ends, name, declaration, ...) \
  auto name = __VA_ARGS__;                      \
  if (!name) ends std::move(name).error();      \
  declaration = *std::move(name)
#define QUIRE_TRY_DONE(ends, name, ...) \
  if (auto name = __VA_ARGS__; !name) ends std::move(name).error()

// `declaration` becomes the value of the expression: TRY(auto rows, read(file)); it is two
// statements, so it stands in a block.
#define TRY(declaration, ...) QUIRE_TRY(return, QUIRE_NAME(__LINE__), declaration, __VA_ARGS__)
#define CO_TRY(declaration, ...) \
  QUIRE_TRY(co_return, QUIRE_NAME(__LINE__), declaration, __VA_ARGS__)

// The same without a value: CO_TRY_DONE(co_await store.ready());
#define TRY_DONE(...) QUIRE_TRY_DONE(return, QUIRE_NAME(__LINE__), __VA_ARGS__)
#define CO_TRY_DONE(...) QUIRE_TRY_DONE(co_return, QUIRE_NAME(__LINE__), __VA_ARGS__)
