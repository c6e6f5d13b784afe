// The index of words of an embedded store: which comments have which words. It is built from the
// comments in the order of their keys, in pieces, as facets are.
#pragma once

#include <optional>
#include <string>

#include "lmdb/environment.h"
#include "lmdb/new_file.h"
#include "quire/result.h"
#include "store/embedded/databases.h"
#include "word_index/edit.h"
#include "word_index/rewrite.h"
#include "word_index/state.h"

namespace quire::embedded {

// Whether the index is to be built or dropped further, in this state.
bool is_work_left(const word_index::Contents& contents);
// Sets Databases::has_words.
void note_words(const Databases& databases, const word_index::Contents& contents);

// Segments to write anew, without the terms of comments that are gone: the first ones that have
// some and slots behind `from`. Absent: there are none. damaged.
Result<std::optional<word_index::Rewrite>> dead_words(const Databases& databases,
                                                      word_index::Slot from);
// The index of words in a copy has no terms of comments that are gone. Where it is damaged or of no
// use, the copy's is built anew by whoever writes to it.
void copy_words(const Databases& databases, const lmdb::Transaction& from, lmdb::NewFile& to);

// As WordPort::add_words() and drop_words(), by a process beside the one that writes the store,
// which notices them within a second. They wait while the other process commits. unavailable: there
// is no store of the present format in the directory.
Status add_words_beside(const std::string& directory);
Status drop_words_beside(const std::string& directory);

}  // namespace quire::embedded
