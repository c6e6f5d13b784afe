// Which columns of a sample are about a person: attributes of comments are public. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mapping/columns/columns.h"

namespace quire {

// The words of a name in camelCase, snake_case or a path, in small letters: "user", "id".
std::vector<std::string> words_of(std::string_view name);

// The word of the name that says so: "order" of orderId. `of_author`: the column may have the
// names of people. Empty: no word does.
std::string personal_word(std::string_view name, bool of_author = false);

// Whether half of the values, or more, are mail addresses, IP addresses or telephone numbers, and
// nothing else: texts may have some.
bool is_contact(const Column& column);

// Why the column is about a person, by its name or by any of its values: "personal: its name
// has \"order\"".
// Empty: nothing says so.
std::string personal_reason(const Column& column);

}  // namespace quire
