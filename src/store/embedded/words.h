// The index of words of an embedded store: which comments have which words. It is built from the
// comments in the order of their keys, in pieces, as facets are.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lmdb/environment.h"
#include "lmdb/new_file.h"
#include "quire/result.h"
#include "store/embedded/databases.h"
#include "word_index/edit.h"
#include "word_index/state.h"

namespace quire::embedded {

class Edit;

// Whether the index is to be built or dropped further, in this state.
bool is_work_left(const word_index::Contents& contents);
// Sets Databases::has_words.
void note_words(const Databases& databases, const word_index::Contents& contents);

// Runs a change in a transaction of its own, and returns what that returned.
using ChangeWords = std::function<Result<bool>(std::function<bool(Edit&)>)>;
// Merges or renumbers some segments, if any are due: prepares that from a read transaction, which
// may take long, and puts it by changes that are short. Whether more may be due at once. Throws
// lmdb::Damaged, lmdb::Failure.
bool merge_words(const Databases& databases, const ChangeWords& change);
// Takes the terms of comments that are gone out of all segments. May take seconds. damaged,
// unavailable, and the errors of `change`.
Status sweep_dead_words(const Databases& databases, const ChangeWords& change);
// The index of words in a copy has no terms of comments that are gone. Where it is damaged or of no
// use, the copy's is built anew by whoever writes to it.
void copy_words(const Databases& databases, const lmdb::Transaction& from, lmdb::NewFile& to);

// As WordPort::add_words() and drop_words(), by a process beside the one that writes the store,
// which notices them within a second. They wait while the other process commits. unavailable: there
// is no store of the present format in the directory.
Status add_words_beside(const std::string& directory);
Status drop_words_beside(const std::string& directory);

}  // namespace quire::embedded
